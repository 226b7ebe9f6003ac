import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  Database,
  type DocumentKey,
  type Executor,
  type InspectedDocument,
  type JobPayload,
  type Statement,
  takeAdvisoryLock,
  translateErrors,
} from '@portage/platform';
import { In, Repository, type SelectQueryBuilder } from 'typeorm';
import { labelOf, takeStale } from '../account/take-stale';
import { DocumentEntity } from './document.entity';

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
 * Finds the documents of a key, under whichever supplier's root, by the index `document_place`. Spellings that a file system
 * may treat as one name are equal. The names of the query are `document`, `account` and `supplier`.
 */
export function documentsAt({ manager }: Executor, key: string): SelectQueryBuilder<DocumentEntity> {
  return manager
    .createQueryBuilder(DocumentEntity, 'document')
    .innerJoin('document.account', 'account')
    .innerJoin('account.supplier', 'supplier')
    .where(
      'lower(normalize(document.path, NFKC)) = lower(normalize(substr(:key::text, length(supplier.documentRoot) + 2), NFKC))',
    )
    .andWhere(`starts_with(lower(:key::text COLLATE "C"), lower(supplier.documentRoot COLLATE "C") || '/')`)
    .setParameters({ key });
}

/** True if the spelling is that of the key of {@link documentsAt}. */
const IS_EXACT = `supplier.documentRoot || '/' || document.path = :key`;

/** Documents that an upload settles. The others of its path are found by their jobs, or by the next upload of it. */
const MAX_SETTLED = 500;

/** Documents that statements and notes refer to, and the results of their inspection. */
@Injectable()
export class DocumentRepository {
  constructor(
    @InjectRepository(DocumentEntity) private readonly documents: Repository<DocumentEntity>,
    private readonly database: Database,
  ) {}

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
    const found = await translateErrors(
      this.documents.findOne({
        where: { id, state: 'PENDING' },
        relations: { account: { supplier: true } },
        select: {
          id: true,
          path: true,
          kind: true,
          account: { id: true, supplier: { id: true, documentRoot: true } },
        },
      }),
    );
    const supplier = found?.account?.supplier;
    if (!supplier) return undefined;
    const { path, kind } = found;
    return { id, path, kind, documentRoot: supplier.documentRoot };
  }

  /** Stores the result of an inspection. The first result stays. */
  async settle(id: string, result: InspectionResult): Promise<void> {
    // Quoted, because TypeORM takes the name for that of the relation otherwise.
    const ofSupplier = () => '(SELECT supplier_id FROM "account" WHERE "account".id = account_id)';
    const stored =
      result.state === 'STORED'
        ? { ...result, size: String(result.size), errorCode: null, unsettledSupplierId: null }
        : { ...result, size: null, mediaType: null, sha256: null, unsettledSupplierId: ofSupplier };
    await translateErrors(
      this.documents.update({ id, state: 'PENDING' }, { ...stored, inspectedAt: () => 'now()' }),
    );
  }

  /**
   * Returns pending documents that were enqueued `olderThanMs` ago or earlier, and marks them as enqueued now, so that
   * no other sweeper takes them.
   */
  async takeStale(olderThanMs: number, limit: number): Promise<JobPayload<'documents'>[]> {
    const stale = await takeStale(this.database, DocumentEntity, { olderThanMs, limit });
    return stale.map(({ id: documentId, account }) => ({ documentId, ...labelOf(account) }));
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
    await takeAdvisoryLock(executor, 'document-upload', '', key);
    const used = await documentsAt(executor, key)
      .andWhere(IS_EXACT)
      .andWhere(`document.state = 'STORED'`)
      .limit(1)
      .getOne();
    return used?.sha256 ?? undefined;
  }

  /** Records the content of an uploaded document with the accounts that have waited for it. */
  async settleUploaded(
    executor: Executor,
    key: DocumentKey,
    { size, mediaType, sha256 }: InspectedDocument,
  ): Promise<void> {
    const awaited = await documentsAt(executor, key)
      .select('document.id')
      .andWhere(IS_EXACT)
      .andWhere(`document.state <> 'STORED'`)
      .limit(MAX_SETTLED)
      .setLock('pessimistic_write', undefined, ['document'])
      .setOnLocked('skip_locked')
      .getMany();
    if (awaited.length === 0) return;
    await executor.manager.update(
      DocumentEntity,
      { id: In(awaited.map(({ id }) => id)) },
      {
        state: 'STORED',
        size: String(size),
        mediaType,
        sha256,
        errorCode: null,
        inspectedAt: () => 'now()',
        unsettledSupplierId: null,
      },
    );
  }

  /** Marks missing or refused documents of a supplier, after this id, to be inspected again, and returns them. */
  async reopen(
    supplierId: number,
    states: readonly ('MISSING' | 'REFUSED')[],
    afterId: string,
    limit: number,
  ): Promise<Pick<JobPayload<'documents'>, 'documentId' | 'externalAccountNumber'>[]> {
    return this.database.transaction(async ({ manager }) => {
      let found: DocumentEntity[] = [];
      // State by state, as the index `document_unsettled_of_supplier` has them. Its condition is repeated, because a
      // parameter does not imply it.
      for (const state of states)
        found = found.concat(
          await manager
            .createQueryBuilder(DocumentEntity, 'document')
            .select(['document.id', 'account.id', 'account.externalAccountNumber'])
            .innerJoin('document.account', 'account')
            .where(`document.state IN ('MISSING', 'REFUSED') AND document.state = :state`, { state })
            .andWhere('document.unsettledSupplierId = :supplierId AND document.id > :afterId', {
              supplierId,
              afterId,
            })
            .orderBy('document.id')
            .limit(limit)
            .setLock('pessimistic_write', undefined, ['document'])
            .getMany(),
        );
      const chosen = found.sort((a, b) => Number(a.id) - Number(b.id)).slice(0, limit);
      const reopened = {
        state: 'PENDING',
        errorCode: null,
        inspectedAt: null,
        enqueuedAt: () => 'now()',
      } as const;
      if (chosen.length > 0)
        await manager.update(DocumentEntity, { id: In(chosen.map(({ id }) => id)) }, reopened);
      return chosen.flatMap(({ id: documentId, account }) =>
        account ? [{ documentId, externalAccountNumber: account.externalAccountNumber }] : [],
      );
    });
  }
}
