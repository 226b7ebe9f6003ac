import { Injectable } from '@nestjs/common';
import type { Executor, Statement } from '@portage/platform';
import { AccountEntity } from '../account/account.entity';
import { DocumentEntity } from '../documents/document.entity';
import { documentsAt } from '../documents/document.repository';
import { type AccountTable, accountTables } from './account-rows';
import { buildErasedAdditions, buildErasedLines, ERASED_CORRECTION } from '../account/erased-lines';

/** An account that is locked until the transaction ends. */
export interface LockedAccount {
  id: string;
  processId: string;
  supplier: string;
  documentRoot: string;
  /** PostgreSQL's text; null while it has not been erased. */
  erasedAt: string | null;
}

/** Tables whose rows are retained without personal data: booked amounts and their dates. */
const RETAINED_TABLES = new Set<AccountTable>(['ledger', 'statement_period', 'transaction']);

const DELETED_TABLES = [
  ...accountTables.filter((table) => !RETAINED_TABLES.has(table)),
  'account_request',
  'idempotency_key',
];

const lockProcess: Statement = {
  name: 'lock-process-of-account',
  text: 'SELECT FROM import_process WHERE id = $1 FOR NO KEY UPDATE',
};

const PROCESS = '(SELECT supplier_id, external_account_number FROM account WHERE id = $1)';

const erase: Statement = {
  name: 'erase-account',
  // One statement, so that the foreign keys between the rows are checked at its end.
  text: `
    WITH ${DELETED_TABLES.map((table) => `deleted_${table} AS (DELETE FROM "${table}" WHERE account_id = $1)`).join(', ')},
    requests AS (
      DELETE FROM account_request WHERE process_id = $2
    ), payload AS (
      DELETE FROM import_process_payload WHERE process_id = $2
    ), corrections AS (
      UPDATE import_process_correction SET ${ERASED_CORRECTION} WHERE process_id = $2
    ), deleted_answer AS (
      DELETE FROM idempotency_key WHERE process_id = $2
    ), process AS (
      -- Retains the external identifier, so that the account is refused under another account number as well.
      UPDATE import_process SET payload_hash = '', payload_digest = NULL, warnings = NULL WHERE id = $2
    ), ${buildErasedLines(PROCESS)}, ${buildErasedAdditions(PROCESS)},
    transactions AS (
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
    UPDATE account SET account_type = NULL,
      external_identifier = CASE WHEN external_identifier = external_account_number THEN external_identifier END,
      billing = '{}', details = '{}', erased_at = now(),
      payload_erased_at = coalesce(payload_erased_at, now())
    WHERE id = $1
    RETURNING erased_at`,
};

/** Erases the personal data of an account, in the caller's transaction. */
@Injectable()
export class AccountErasureRepository {
  /** Finds the account with this platform account number, and locks it. */
  async lock(executor: Executor, number: string): Promise<LockedAccount | undefined> {
    // FOR UPDATE also blocks the addition of rows that refer to the account.
    const found = await executor.manager
      .createQueryBuilder(AccountEntity, 'account')
      .innerJoinAndSelect('account.supplier', 'supplier')
      .where({ number })
      .setLock('pessimistic_write', undefined, ['account'])
      .getOne();
    if (!found?.supplier) return undefined;
    const { id, processId, erasedAt, supplier } = found;
    return { id, processId, erasedAt, supplier: supplier.code, documentRoot: supplier.documentRoot };
  }

  /** The paths of the account's documents, each once. */
  async documentPaths(executor: Executor, { id }: LockedAccount): Promise<string[]> {
    const documents = await executor.manager.find(DocumentEntity, {
      select: { id: true, path: true },
      where: { accountId: id },
      order: { path: 'ASC' },
    });
    return [...new Set(documents.map(({ path }) => path))];
  }

  /** True if another account, of whichever supplier and organisation, names the same document at this moment. */
  async isNamedElsewhere(
    executor: Executor,
    { id, documentRoot }: LockedAccount,
    path: string,
  ): Promise<boolean> {
    return documentsAt(executor, `${documentRoot}/${path}`)
      .andWhere('document.accountId <> :id', { id })
      .getExists();
  }

  /**
   * Erases all personal data. Retains the process with its events, account numbers and external identifier, and the
   * account's number, dates and booked amounts.
   *
   * @returns the time of the erasure, as PostgreSQL prints it
   */
  async erase(executor: Executor, { id, processId }: LockedAccount): Promise<string> {
    // A correction that is being accepted has ended then, so that the next statement sees it.
    await executor.run(lockProcess, [processId]);
    const [erased] = await executor.run<{ erasedAt: string }>(erase, [id, processId]);
    return (erased as { erasedAt: string }).erasedAt;
  }
}
