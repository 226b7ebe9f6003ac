import { Injectable } from '@nestjs/common';
import { NOT_FOUND_YET } from '@portage/accounts';
import { Database, type Statement, translateErrors, unnestArrays, whereNameIs } from '@portage/platform';
import { type FailedField, ImportProcessEntity } from './import-process.entity';
import type { CorrectionStatus, ImportProcessStatus, StagingState } from './status';
import type { LatestEvent } from './event';

/** The state of a process as both status endpoints show it. Datetimes are PostgreSQL's text. */
export interface ImportProcessView {
  status: ImportProcessStatus;
  isDryRun: boolean;
  isReleased: boolean;
  staging: StagingState | null;
  accountNumber: string | null;
  createdAt: string;
  modifiedAt: string;
  latestEvent: LatestEvent;
  latestEventAt: string;
  errorCode: string | null;
  errorDetail: string | null;
  scheduleWindowStart: string | null;
  scheduleWindowEnd: string | null;
  externalAccountNumber: string;
  /** SHA-256 of the payload, in base64; null if the payload was erased. */
  payloadDigest: string | null;
  /** True if its payload was erased with the account, or without one. */
  isErased: boolean;
  /** The last correction of its account; null without one. */
  correction: StoredCorrection | null;
  /** Of an imported account: the documents that it names, those that were not found so far, and those that were refused. */
  documents: { named: number; missing: number; refused: number } | null;
}

/** A correction as the status shows it. Datetimes are ISO 8601. */
export interface StoredCorrection {
  version: number;
  status: CorrectionStatus;
  isDryRun: boolean;
  createdAt: string;
  endedAt: string | null;
  errorCode: string | null;
  errorDetail: string | null;
}

/** A process as the lists show it. */
export interface ListedImportProcess {
  processId: string;
  externalAccountNumber: string;
  externalIdentifier: string;
  accountNumber: string | null;
  accountCreatedAt: string | null;
  status: ImportProcessStatus;
  errorCode: string | null;
  errorDetail: string | null;
  errorFields: readonly FailedField[] | null;
  modifiedAt: string;
}

/** The processes of a supplier in some states. */
export interface ListSelection {
  supplierId: number;
  statuses: readonly ImportProcessStatus[];
}

const VIEW = `status, is_dry_run, is_released, staging,
  account_number, created_at, modified_at, latest_event, latest_event_at,
  error_code, error_detail, schedule_window_start, schedule_window_end,
  external_account_number, encode(payload_digest, 'base64') AS payload_digest, payload_hash = '' AS is_erased,
  CASE WHEN account_number IS NOT NULL THEN (
    SELECT json_build_object('version', correction.version, 'status', correction.status, 'isDryRun', correction.is_dry_run,
      'createdAt', correction.created_at, 'endedAt', correction.ended_at, 'errorCode', correction.error_code,
      'errorDetail', correction.error_detail)
    FROM import_process_correction correction WHERE process_id = import_process.id
    ORDER BY correction.version DESC LIMIT 1
  ) END AS correction,
  CASE WHEN account_number IS NOT NULL THEN (
    SELECT json_build_object('named', count(*), 'missing', count(*) FILTER (WHERE ${NOT_FOUND_YET}),
      'refused', count(*) FILTER (WHERE state = 'REFUSED')) FROM document
    WHERE account_id = (SELECT id FROM account WHERE process_id = import_process.id)
  ) END AS documents`;

/** The column that a process is looked up by. */
export type ProcessNaming = 'external_identifier' | 'external_account_number';

/** A process by one of the supplier's names for it. */
export interface ProcessName {
  supplierId: number;
  name: string;
}

const viewStatement = (naming: ProcessNaming): Statement => ({
  name: `view-import-processes-by-${naming}`,
  text: `
    SELECT ordinal::integer - 1 AS index, stored.*
    FROM ${unnestArrays('$1::integer[], $2::text[]')} WITH ORDINALITY AS named (supplier_id, name, ordinal)
    CROSS JOIN LATERAL (
      SELECT ${VIEW} FROM import_process ${whereNameIs(naming, 'named.supplier_id', 'named.name')}
    ) stored`,
});
const views: Record<ProcessNaming, Statement> = {
  external_identifier: viewStatement('external_identifier'),
  external_account_number: viewStatement('external_account_number'),
};

const list: Statement = {
  name: 'list-import-processes',
  // Each status is a range of the index (supplier_id, status, id), so no process of another status is read. Keyset
  // pagination: no snapshot is held open while a slow client reads.
  text: `
    SELECT listed.* FROM unnest($4::text[]) AS chosen (status) CROSS JOIN LATERAL (
      SELECT id AS process_id, external_account_number, external_identifier, account_number, account_created_at,
        import_process.status, error_code, error_detail, error_fields, modified_at
      FROM import_process
      WHERE supplier_id = $1 AND import_process.status = chosen.status AND id > $2
      ORDER BY id LIMIT $3
    ) listed
    ORDER BY process_id LIMIT $3`,
};

const findImportedDigests: Statement = {
  name: 'digests-of-imported-accounts',
  // One with a pending correction is about to have another digest.
  text: `
    SELECT id AS process_id, external_account_number, payload_digest, submission_id
    FROM unnest($2::text[]) AS named (number) CROSS JOIN LATERAL (
      SELECT * FROM import_process ${whereNameIs('external_account_number', '$1', 'named.number')}
    ) process
    WHERE status = 'PROCESSED' AND payload_digest IS NOT NULL AND NOT EXISTS (
      SELECT FROM import_process_correction WHERE process_id = process.id AND import_process_correction.status = 'PENDING'
    )`,
};

/** Reads import processes for suppliers: single states, and lists. */
@Injectable()
export class ImportProcessReadingRepository {
  constructor(private readonly database: Database) {}

  /** Returns a state for each name, in their order; undefined where there is no such process. */
  async views(
    naming: ProcessNaming,
    names: readonly ProcessName[],
  ): Promise<(ImportProcessView | undefined)[]> {
    const rows = await this.database.run<ImportProcessView & { index: number }>(views[naming], [
      names.map(({ supplierId }) => supplierId),
      names.map(({ name }) => name),
    ]);
    const found: (ImportProcessView | undefined)[] = names.map(() => undefined);
    for (const row of rows) found[row.index] = row;
    return found;
  }

  /** The id of a process; undefined where there is none. */
  async idOf(supplierId: number, externalAccountNumber: string): Promise<string | undefined> {
    const found = await translateErrors(
      this.database.manager.findOne(ImportProcessEntity, {
        select: { id: true },
        where: { supplierId, externalAccountNumber },
      }),
    );
    return found?.id;
  }

  /** The imported accounts of a supplier among these numbers whose payload has a digest, by number. */
  async importedDigests(
    supplierId: number,
    numbers: readonly string[],
  ): Promise<Map<string, { processId: string; payloadDigest: Buffer; submissionId: string | null }>> {
    if (numbers.length === 0) return new Map();
    const rows = await this.database.run<{
      processId: string;
      externalAccountNumber: string;
      payloadDigest: Buffer;
      submissionId: string | null;
    }>(findImportedDigests, [supplierId, numbers]);
    return new Map(rows.map(({ externalAccountNumber, ...row }) => [externalAccountNumber, row]));
  }

  /**
   * Up to `rows` processes after the process `after` (0 for the first), in the order of creation.
   *
   * @param signal cancels the statement
   */
  async list(
    { supplierId, statuses }: ListSelection,
    after: string,
    rows: number,
    signal?: AbortSignal,
  ): Promise<ListedImportProcess[]> {
    return this.database.run<ListedImportProcess>(list, [supplierId, after, rows, statuses], signal);
  }
}
