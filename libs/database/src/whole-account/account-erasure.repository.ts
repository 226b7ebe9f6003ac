import { Injectable } from '@nestjs/common';
import type { Executor, Statement } from '../connection/database';
import { type AccountTable, accountTables } from './account-rows';

/** An account that is locked until the transaction ends. */
export interface LockedAccount {
  id: string;
  processId: string;
  supplier: string;
  documentRoot: string;
  /** PostgreSQL's text; null while it has not been erased. */
  erasedAt: string | null;
}

/** A document of an account. `isShared`: another account refers to the same file. */
export interface UsedDocument {
  path: string;
  isShared: boolean;
}

/** Tables whose rows are retained without personal data: booked amounts and their dates. */
const RETAINED_TABLES = new Set<AccountTable>(['ledger', 'statement_period', 'transaction']);

const DELETED_TABLES = [
  ...accountTables.filter((table) => !RETAINED_TABLES.has(table)),
  'account_request',
  'idempotency_key',
];

const lock: Statement = {
  name: 'lock-account-to-erase',
  // FOR UPDATE also blocks the addition of rows that refer to the account.
  text: `
    SELECT account.id, process_id AS "processId", supplier.code AS supplier, document_root AS "documentRoot",
      erased_at AS "erasedAt"
    FROM account JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE number = $1
    FOR UPDATE OF account`,
};

const usedDocuments: Statement = {
  name: 'documents-of-account-to-erase',
  text: `
    SELECT path, bool_or(EXISTS (
        SELECT FROM document other JOIN account ON account.id = other.account_id
        JOIN import_supplier supplier ON supplier.id = account.supplier_id
        WHERE other.path = document.path AND other.account_id <> $1
          AND trim(BOTH '/' FROM supplier.document_root) = trim(BOTH '/' FROM $2)
      )) AS "isShared"
    FROM document WHERE account_id = $1 GROUP BY path ORDER BY path`,
};

const erase: Statement = {
  name: 'erase-account',
  // One statement, so that the foreign keys between the rows are checked at its end.
  text: `
    WITH ${DELETED_TABLES.map((table) => `deleted_${table} AS (DELETE FROM "${table}" WHERE account_id = $1)`).join(', ')},
    requests AS (
      DELETE FROM account_request WHERE process_id = $2
    ), payload AS (
      DELETE FROM import_process_payload WHERE process_id = $2
    ), process AS (
      UPDATE import_process SET payload_hash = '' WHERE id = $2
    ), transactions AS (
      UPDATE transaction SET transaction_id = id::text, reason = NULL, original_date = NULL, adjustment = NULL,
        details = '{}'
      WHERE account_id = $1
    ), ledgers AS (
      UPDATE ledger SET ledger_code = NULL, ledger_identifier = NULL, details = '{}' WHERE account_id = $1
    ), periods AS (
      -- No further transactions are accepted, so the roll-over must not find an open period.
      UPDATE statement_period period SET closed_at = now(), closing_balance = ledger.balance
      FROM ledger
      WHERE period.account_id = $1 AND period.closed_at IS NULL
        AND ledger.account_id = $1 AND ledger.position = period.ledger_position
    )
    UPDATE account SET account_type = NULL, billing = '{}', details = '{}', erased_at = now(),
      payload_erased_at = coalesce(payload_erased_at, now())
    WHERE id = $1
    RETURNING erased_at AS "erasedAt"`,
};

/** Erases the personal data of an account, in the caller's transaction. */
@Injectable()
export class AccountErasureRepository {
  /** Finds the account with this platform account number, and locks it. */
  async lock(executor: Executor, number: string): Promise<LockedAccount | undefined> {
    return (await executor.run<LockedAccount>(lock, [number]))[0];
  }

  /** The documents of the account, each path once. */
  async documents(executor: Executor, { id, documentRoot }: LockedAccount): Promise<UsedDocument[]> {
    return executor.run<UsedDocument>(usedDocuments, [id, documentRoot]);
  }

  /**
   * Erases all personal data. Retains the process with its events and account numbers, and the account's number, dates
   * and booked amounts.
   *
   * @returns the time of the erasure, as PostgreSQL prints it
   */
  async erase(executor: Executor, { id, processId }: LockedAccount): Promise<string> {
    const [erased] = await executor.run<{ erasedAt: string }>(erase, [id, processId]);
    return (erased as { erasedAt: string }).erasedAt;
  }
}
