import { Injectable } from '@nestjs/common';
import { anyOf, Database, type Executor, type Statement, unnestArrays, whereNameIs } from '@portage/platform';

/** An imported account, as requests after its import refer to it. */
export interface ImportedAccount {
  id: string;
  number: string;
}

/** The supplier's own name of an account. */
export interface AccountName {
  supplierId: number;
  externalAccountNumber: string;
}

const find: Statement = {
  name: 'find-imported-accounts',
  text: `
    SELECT ordinal::integer - 1 AS index, account.id, account.number
    FROM ${unnestArrays('$1::integer[], $2::text[]')} WITH ORDINALITY AS named (supplier_id, name, ordinal)
    CROSS JOIN LATERAL (
      SELECT id, number, erased_at FROM account ${whereNameIs('external_account_number', 'named.supplier_id', 'named.name')}
    ) account
    WHERE erased_at IS NULL`,
};

/**
 * FOR NO KEY UPDATE, because FOR UPDATE would block inserts of rows that refer to the accounts. For the subquery see
 * {@link unnestArrays}.
 */
const LOCK = `SELECT id FROM account WHERE id = ${anyOf('$1::bigint[]')} AND erased_at IS NULL FOR NO KEY UPDATE`;

const lock: Statement = { name: 'lock-account', text: LOCK };
const lockSkipLocked: Statement = { name: 'lock-accounts-skip-locked', text: `${LOCK} SKIP LOCKED` };

/** Finds imported accounts and locks them, so that writers to one account run one after another. */
@Injectable()
export class ImportedAccountRepository {
  constructor(private readonly database: Database) {}

  /** @returns an account for each name, in their order; undefined where it does not exist or has been erased */
  async find(
    names: readonly AccountName[],
    executor: Executor = this.database,
  ): Promise<(ImportedAccount | undefined)[]> {
    const rows = await executor.run<ImportedAccount & { index: number }>(find, [
      names.map(({ supplierId }) => supplierId),
      names.map(({ externalAccountNumber }) => externalAccountNumber),
    ]);
    const found = new Map(rows.map(({ index, id, number }) => [index, { id, number }]));
    return names.map((_name, index) => found.get(index));
  }

  /**
   * Locks an account against other writers until the transaction ends.
   *
   * @returns false where the account has been erased: nothing may be added to it
   */
  async lock(executor: Executor, accountId: string): Promise<boolean> {
    return (await this.lockAll(executor, [accountId])).has(accountId);
  }

  /**
   * Locks accounts as {@link lock}. A single one is waited for; of several, those stay that another transaction has locked.
   *
   * @returns the ids of the locked ones, without erased ones
   */
  async lockAll(executor: Executor, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (accountIds.length === 0) return new Set();
    const statement = accountIds.length === 1 ? lock : lockSkipLocked;
    return new Set((await executor.run<{ id: string }>(statement, [accountIds])).map(({ id }) => id));
  }
}
