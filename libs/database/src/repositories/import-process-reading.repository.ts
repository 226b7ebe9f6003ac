import { Injectable } from '@nestjs/common';
import type { ImportProcessStatus, LatestEvent } from '@portage/domain';
import type { QueryResultRow } from 'pg';
import { Database, type Statement } from '../database';

/** Where a process stands, as both status endpoints show it. Datetimes are PostgreSQL's text. */
export interface ImportProcessView {
  status: ImportProcessStatus;
  isDryRun: boolean;
  isReleased: boolean;
  accountNumber: string | null;
  createdAt: string;
  modifiedAt: string;
  latestEvent: LatestEvent;
  latestEventAt: string;
  errorCode: string | null;
  errorDetail: string | null;
}

export type ListedKind = 'all' | 'pending' | 'imported';

export interface ListedImportProcess {
  processId: string;
  externalAccountNumber: string;
  accountNumber: string | null;
  accountCreatedAt: string | null;
}

const VIEW = `status, is_dry_run AS "isDryRun", is_released AS "isReleased",
  account_number AS "accountNumber", created_at AS "createdAt", modified_at AS "modifiedAt", latest_event AS "latestEvent", latest_event_at AS "latestEventAt",
  error_code AS "errorCode", error_detail AS "errorDetail"`;

const viewByExternalIdentifier: Statement = {
  name: 'view-import-process-by-identifier',
  text: `SELECT ${VIEW} FROM import_process WHERE supplier_id = $1 AND external_identifier = $2`,
};

const viewByExternalAccountNumber: Statement = {
  name: 'view-import-process-by-account-number',
  text: `SELECT ${VIEW} FROM import_process WHERE supplier_id = $1 AND external_account_number = $2`,
};

const LISTED: Record<ListedKind, string> = {
  all: `status <> 'CANCELLED'`,
  pending: `status <> 'CANCELLED' AND account_number IS NULL`,
  imported: 'account_number IS NOT NULL',
};

const listStatement = (kind: ListedKind): Statement => ({
  name: `list-${kind}-import-processes`,
  // By key, a chunk at a time: no snapshot is held open while a slow client reads.
  text: `
    SELECT id AS "processId", external_account_number AS "externalAccountNumber",
      account_number AS "accountNumber", account_created_at AS "accountCreatedAt"
    FROM import_process WHERE supplier_id = $1 AND id > $2 AND ${LISTED[kind]}
    ORDER BY id LIMIT $3`,
});
const lists: Record<ListedKind, Statement> = {
  all: listStatement('all'),
  pending: listStatement('pending'),
  imported: listStatement('imported'),
};

const idOfExternalAccountNumber: Statement = {
  name: 'id-of-import-process',
  text: 'SELECT id AS "processId" FROM import_process WHERE supplier_id = $1 AND external_account_number = $2',
};

/** What suppliers read of their import processes: one at a time, or the lists. */
@Injectable()
export class ImportProcessReadingRepository {
  constructor(private readonly database: Database) {}

  async viewByExternalIdentifier(
    supplierId: number,
    identifier: string,
  ): Promise<ImportProcessView | undefined> {
    return (
      await this.database.run<ImportProcessView & QueryResultRow>(viewByExternalIdentifier, [
        supplierId,
        identifier,
      ])
    )[0];
  }

  async viewByExternalAccountNumber(
    supplierId: number,
    number: string,
  ): Promise<ImportProcessView | undefined> {
    return (
      await this.database.run<ImportProcessView & QueryResultRow>(viewByExternalAccountNumber, [
        supplierId,
        number,
      ])
    )[0];
  }

  async idOf(supplierId: number, externalAccountNumber: string): Promise<string | undefined> {
    const [found] = await this.database.run<{ processId: string }>(idOfExternalAccountNumber, [
      supplierId,
      externalAccountNumber,
    ]);
    return found?.processId;
  }

  /** One chunk of a list, in the order of creation, after the process `after` (0 for the start). */
  async list(
    kind: ListedKind,
    supplierId: number,
    after: string,
    rows: number,
  ): Promise<ListedImportProcess[]> {
    return this.database.run<ListedImportProcess & QueryResultRow>(lists[kind], [supplierId, after, rows]);
  }
}
