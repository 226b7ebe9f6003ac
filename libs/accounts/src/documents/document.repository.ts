import { Injectable } from '@nestjs/common';
import {
  Database,
  type DocumentKey,
  type Executor,
  type InspectedDocument,
  type JobPayload,
  lockKey,
  type Statement,
} from '@portage/platform';

/** A document that has not been inspected, and the document root of its supplier. */
export interface PendingDocument {
  id: string;
  path: string;
  kind: 'statement' | 'note';
  documentRoot: string;
}

/** A document that a statement or a note of an account refers to. */
export interface NewDocument {
  accountId: string;
  path: string;
  kind: 'statement' | 'note';
}

/** The result of inspecting a document. */
export type InspectionResult =
  | { state: 'STORED'; size: number; mediaType: string; sha256: Buffer }
  | { state: 'MISSING' | 'REFUSED'; errorCode: string };

/** The states of the documents that are listed, in their order: `PENDING` ones were not found so far. */
export type ListedDocumentState = 'MISSING' | 'PENDING' | 'REFUSED';

/** The SQL condition on documents that are not in the document store yet, as far as it is known. */
export const NOT_FOUND_YET = `state IN ('PENDING', 'MISSING')`;

/** A document that is not stored. */
export interface UnsettledDocument {
  documentId: string;
  externalAccountNumber: string;
  accountNumber: string;
  path: string;
  kind: 'statement' | 'note';
  state: ListedDocumentState;
  errorCode: string | null;
  inspectedAt: string | null;
}

const add: Statement = {
  name: 'add-documents',
  text: `
    INSERT INTO document (account_id, path, kind)
    SELECT DISTINCT account_id, path, kind FROM unnest($1::bigint[], $2::text[], $3::text[]) AS new (account_id, path, kind)
    ON CONFLICT ON CONSTRAINT document_path DO UPDATE
      SET state = 'PENDING', error_code = NULL, inspected_at = NULL, enqueued_at = now()
      WHERE document.state IN ('MISSING', 'REFUSED')
    RETURNING id, account_id`,
};

const pending: Statement = {
  name: 'pending-document',
  text: `
    SELECT document.id, path, kind, document_root
    FROM document JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE document.id = $1 AND state = 'PENDING'`,
};

const settle: Statement = {
  name: 'settle-document',
  text: `
    UPDATE document SET state = $2, size = $3, media_type = $4, sha256 = $5, error_code = $6, inspected_at = now(),
      unsettled_supplier_id = CASE WHEN $6::text IS NOT NULL THEN (SELECT supplier_id FROM account WHERE account.id = account_id) END
    WHERE id = $1 AND state = 'PENDING'`,
};

const reopen: Statement = {
  name: 'reopen-documents',
  // The first condition is that of the partial index. The planner cannot derive it from the second, a parameter.
  text: `
    WITH chosen AS (
      SELECT document.id, external_account_number
      FROM document JOIN account ON account.id = account_id
      WHERE state IN ('MISSING', 'REFUSED') AND state = ANY($2::text[]) AND supplier_id = $1 AND document.id > $3
      ORDER BY document.id LIMIT $4
      FOR UPDATE OF document
    )
    UPDATE document SET state = 'PENDING', error_code = NULL, inspected_at = NULL, enqueued_at = now()
    FROM chosen WHERE document.id = chosen.id
    RETURNING document.id AS document_id, external_account_number`,
};

const listStatement = (name: string, condition: string): Statement => ({
  name: `list-${name}-documents`,
  // Starts with the accounts of the supplier, so that the documents of other suppliers cost nothing. OFFSET 0 makes the
  // planner use the index of each account's unsettled documents.
  text: `
    SELECT document.id AS document_id, external_account_number, number AS account_number,
      path, kind, state, error_code, inspected_at
    FROM account CROSS JOIN LATERAL (
      SELECT * FROM document
      WHERE account_id = account.id AND ${condition} AND state = $2
        AND (account.external_account_number > $3 OR document.id > $4)
      ORDER BY document.id OFFSET 0
    ) document
    WHERE supplier_id = $1 AND external_account_number >= $3
    ORDER BY external_account_number, document.id LIMIT $5`,
});
const listUnsettled = listStatement('unsettled', `state IN ('MISSING', 'REFUSED')`);
const listPending = listStatement('pending', `state = 'PENDING'`);

/**
 * The documents of a key, under whichever supplier's root, found by the index `document_place`. Spellings that the index
 * treats as equal are told apart by the key.
 */
const OF_KEY = `
  import_supplier supplier
  JOIN document ON lower(normalize(document.path, NFKC))
    = lower(normalize(substr($1::text, length(supplier.document_root) + 2), NFKC))
  JOIN account ON account.id = document.account_id AND account.supplier_id = supplier.id
  WHERE starts_with($1::text COLLATE "C", supplier.document_root COLLATE "C" || '/')
    AND supplier.document_root || '/' || document.path = $1`;

const lockForUpload: Statement = {
  name: 'lock-document-for-upload',
  text: `SELECT pg_advisory_xact_lock(${lockKey('document-upload', `''`, '$1::text')})`,
};

const usedContent: Statement = {
  name: 'content-of-used-document',
  text: `SELECT document.sha256 FROM ${OF_KEY} AND document.state = 'STORED' LIMIT 1`,
};

const settleUploaded: Statement = {
  name: 'settle-uploaded-documents',
  text: `
    WITH awaited AS (
      SELECT document.id FROM ${OF_KEY} AND document.state <> 'STORED'
      ORDER BY document.account_id, document.id LIMIT $5
      FOR UPDATE OF document SKIP LOCKED
    )
    UPDATE document SET state = 'STORED', size = $2, media_type = $3, sha256 = $4, error_code = NULL,
      inspected_at = now(), unsettled_supplier_id = NULL
    FROM awaited WHERE document.id = awaited.id`,
};

/** Documents that an upload settles. The others of its path are found by their jobs, or by the next upload of it. */
const MAX_SETTLED = 500;

const takeStale: Statement = {
  name: 'take-stale-documents',
  text: `
    WITH stale AS (
      SELECT id FROM document
      WHERE state = 'PENDING' AND enqueued_at < now() - $1 * interval '1 millisecond'
      ORDER BY enqueued_at LIMIT $2
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE document SET enqueued_at = now() FROM stale WHERE document.id = stale.id
      RETURNING document.id, account_id
    )
    SELECT taken.id AS document_id, organisation_id, supplier.code AS supplier,
      external_account_number
    FROM taken JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id`,
};

/** Documents that statements and notes refer to, and the results of their inspection. */
@Injectable()
export class DocumentRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds documents that their accounts do not have. A document that was missing or refused is inspected again, because
   * the supplier may have uploaded it since. If its failed job still exists, the sweeper adds the next one.
   *
   * @returns the documents to inspect
   */
  async add(
    executor: Executor,
    documents: readonly NewDocument[],
  ): Promise<{ id: string; accountId: string }[]> {
    if (documents.length === 0) return [];
    return executor.run<{ id: string; accountId: string }>(add, [
      documents.map(({ accountId }) => accountId),
      documents.map(({ path }) => path),
      documents.map(({ kind }) => kind),
    ]);
  }

  /** The document, unless it has been inspected. */
  async pending(id: string): Promise<PendingDocument | undefined> {
    const [document] = await this.database.run<PendingDocument>(pending, [id]);
    return document;
  }

  /** Stores the result of an inspection. The first result stays. */
  async settle(id: string, result: InspectionResult): Promise<void> {
    const stored = result.state === 'STORED' ? result : undefined;
    const errorCode = result.state === 'STORED' ? null : result.errorCode;
    await this.database.run(settle, [
      id,
      result.state,
      stored?.size ?? null,
      stored?.mediaType ?? null,
      stored?.sha256 ?? null,
      errorCode,
    ]);
  }

  /**
   * Returns pending documents that were enqueued `olderThanMs` ago or earlier, and marks them as enqueued now, so that
   * no other sweeper takes them.
   */
  async takeStale(olderThanMs: number, limit: number): Promise<JobPayload<'documents'>[]> {
    return this.database.run<JobPayload<'documents'>>(takeStale, [olderThanMs, limit]);
  }

  /**
   * Up to `rows` documents of a supplier in one state, ordered by account.
   *
   * @param after the last document of the previous chunk
   * @param signal cancels the statement
   */
  async listUnsettled(
    supplierId: number,
    state: ListedDocumentState,
    after: Pick<UnsettledDocument, 'externalAccountNumber' | 'documentId'> | undefined,
    rows: number,
    signal?: AbortSignal,
  ): Promise<UnsettledDocument[]> {
    const start = [after?.externalAccountNumber ?? '', after?.documentId ?? '0'];
    const statement = state === 'PENDING' ? listPending : listUnsettled;
    return this.database.run<UnsettledDocument>(statement, [supplierId, state, ...start, rows], signal);
  }

  /**
   * Locks a document until the end of the transaction against other uploads of it.
   *
   * @returns the SHA-256 that an account has recorded of it; undefined if none has
   */
  async lockForUpload(executor: Executor, key: DocumentKey): Promise<Buffer | undefined> {
    await executor.run(lockForUpload, [key]);
    const [used] = await executor.run<{ sha256: Buffer }>(usedContent, [key]);
    return used?.sha256;
  }

  /** Records the content of an uploaded document with the accounts that have waited for it. */
  async settleUploaded(
    executor: Executor,
    key: DocumentKey,
    { size, mediaType, sha256 }: InspectedDocument,
  ): Promise<void> {
    await executor.run(settleUploaded, [key, size, mediaType, sha256, MAX_SETTLED]);
  }

  /** Marks missing or refused documents of a supplier, after this id, to be inspected again, and returns them. */
  async reopen(
    supplierId: number,
    states: readonly ('MISSING' | 'REFUSED')[],
    afterId: string,
    limit: number,
  ): Promise<Pick<JobPayload<'documents'>, 'documentId' | 'externalAccountNumber'>[]> {
    return this.database.run(reopen, [supplierId, states, afterId, limit]);
  }
}
