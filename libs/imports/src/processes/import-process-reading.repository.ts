import { Injectable } from '@nestjs/common';
import { NOT_FOUND_YET } from '@portage/accounts';
import { Database, type Statement, unnestArrays, whereNameIs } from '@portage/platform';
import type { ImportProcessStatus, StagingState } from './status';
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
  /** Of an imported account: the documents that it names, those that were not found so far, and those that were refused. */
  documents: { named: number; missing: number; refused: number } | null;
}

/** The lists of a supplier's processes. */
export type ListedKind = 'all' | 'pending' | 'imported';

/** A process as the lists show it. */
export interface ListedImportProcess {
  processId: string;
  externalAccountNumber: string;
  accountNumber: string | null;
  accountCreatedAt: string | null;
  status: ImportProcessStatus;
  errorCode: string | null;
  errorDetail: string | null;
}

/** A process that has ended with an error. */
export interface FailedImportProcess {
  id: string;
  externalAccountNumber: string;
  externalIdentifier: string;
  status: ImportProcessStatus;
  errorCode: string | null;
  errorDetail: string | null;
  modifiedAt: string;
}

/** Selects rows of a list. */
export interface ListSelection {
  kind: ListedKind;
  supplierId: number;
  /** Only processes with one of these statuses; undefined: all of the list. */
  statuses: readonly ImportProcessStatus[] | undefined;
}

const VIEW = `status, is_dry_run, is_released, staging,
  account_number, created_at, modified_at, latest_event, latest_event_at,
  error_code, error_detail, schedule_window_start, schedule_window_end,
  external_account_number, encode(payload_digest, 'base64') AS payload_digest,
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

const LISTED: Record<ListedKind, string> = {
  all: `status <> 'CANCELLED'`,
  pending: `status <> 'CANCELLED' AND account_number IS NULL`,
  imported: 'account_number IS NOT NULL',
};

const LISTED_COLUMNS = `id AS process_id, external_account_number,
      account_number, account_created_at, status, error_code,
      error_detail`;

const listStatement = (kind: ListedKind): Statement => ({
  name: `list-${kind}-import-processes`,
  // Keyset pagination: no snapshot is held open while a slow client reads.
  text: `
    SELECT ${LISTED_COLUMNS}
    FROM import_process WHERE supplier_id = $1 AND id > $2 AND ${LISTED[kind]}
    ORDER BY id LIMIT $3`,
});

/** Whether an account exists decides; the caller has chosen the statuses, so that cancelled processes can be listed. */
const LISTED_BY_STATUS: Record<ListedKind, string> = {
  all: 'true',
  pending: 'account_number IS NULL',
  imported: 'account_number IS NOT NULL',
};

const listByStatusStatement = (kind: ListedKind): Statement => ({
  name: `list-${kind}-import-processes-by-status`,
  // Each status is a range of the index (supplier_id, status, id), so no process of another status is read.
  text: `
    SELECT listed.* FROM unnest($4::text[]) AS chosen (status) CROSS JOIN LATERAL (
      SELECT ${LISTED_COLUMNS}
      FROM import_process
      WHERE supplier_id = $1 AND import_process.status = chosen.status AND id > $2 AND ${LISTED_BY_STATUS[kind]}
      ORDER BY id LIMIT $3
    ) listed
    ORDER BY process_id LIMIT $3`,
});
const lists: Record<ListedKind, Statement> = {
  all: listStatement('all'),
  pending: listStatement('pending'),
  imported: listStatement('imported'),
};

const listsByStatus: Record<ListedKind, Statement> = {
  all: listByStatusStatement('all'),
  pending: listByStatusStatement('pending'),
  imported: listByStatusStatement('imported'),
};

const listFailed: Statement = {
  name: 'list-failed-import-processes',
  // Each status is a range of the index (supplier_id, status, id).
  text: `
    SELECT failed.* FROM (VALUES ('ERRORED'), ('DRY_RUN_ERRORED')) AS chosen (status) CROSS JOIN LATERAL (
      SELECT id, external_account_number, external_identifier, import_process.status, error_code, error_detail, modified_at
      FROM import_process
      WHERE supplier_id = $1 AND import_process.status = chosen.status AND id > $2
      ORDER BY id LIMIT $3
    ) failed
    ORDER BY id LIMIT $3`,
};

const idOfExternalAccountNumber: Statement = {
  name: 'id-of-import-process',
  text: `SELECT id AS process_id FROM import_process ${whereNameIs('external_account_number', '$1', '$2')}`,
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
    const [found] = await this.database.run<{ processId: string }>(idOfExternalAccountNumber, [
      supplierId,
      externalAccountNumber,
    ]);
    return found?.processId;
  }

  /** Up to `rows` processes with an error after the process `after` (0 for the first), in the order of creation. */
  async listFailed(
    supplierId: number,
    after: string,
    rows: number,
    signal?: AbortSignal,
  ): Promise<FailedImportProcess[]> {
    return this.database.run<FailedImportProcess>(listFailed, [supplierId, after, rows], signal);
  }

  /**
   * Up to `rows` processes after the process `after` (0 for the first), in the order of creation.
   *
   * @param signal cancels the statement
   */
  async list(
    { kind, supplierId, statuses }: ListSelection,
    after: string,
    rows: number,
    signal?: AbortSignal,
  ): Promise<ListedImportProcess[]> {
    return statuses
      ? this.database.run<ListedImportProcess>(
          listsByStatus[kind],
          [supplierId, after, rows, statuses],
          signal,
        )
      : this.database.run<ListedImportProcess>(lists[kind], [supplierId, after, rows], signal);
  }
}
