import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '../connection/database';

/** An account that later requests are about. */
export interface ImportedAccount {
  id: string;
  number: string;
}

/** What a supplier calls an account. */
export interface AccountName {
  supplierId: number;
  externalAccountNumber: string;
}

const find: Statement = {
  name: 'find-imported-accounts',
  text: `
    SELECT place::integer - 1 AS index, account.id, account.number
    FROM unnest($1::integer[], $2::text[]) WITH ORDINALITY AS named (supplier_id, external_account_number, place)
    JOIN account USING (supplier_id, external_account_number)
    WHERE erased_at IS NULL`,
};

/** Not FOR UPDATE: rows that refer to the accounts may go on being added. */
const LOCK = 'SELECT id FROM account WHERE id = ANY($1::bigint[]) AND erased_at IS NULL FOR NO KEY UPDATE';

const lock: Statement = { name: 'lock-account', text: LOCK };
const lockFree: Statement = { name: 'lock-free-accounts', text: `${LOCK} SKIP LOCKED` };

/** Finds accounts, and makes those who write to one wait for each other. */
@Injectable()
export class ImportedAccountRepository {
  constructor(private readonly database: Database) {}

  /** One for each name, in their order; undefined where there is no such account, or not any more. */
  async find(names: readonly AccountName[]): Promise<(ImportedAccount | undefined)[]> {
    const rows = await this.database.run<ImportedAccount & { index: number }>(find, [
      names.map(({ supplierId }) => supplierId),
      names.map(({ externalAccountNumber }) => externalAccountNumber),
    ]);
    const found = new Map(rows.map(({ index, id, number }) => [index, { id, number }]));
    return names.map((_name, index) => found.get(index));
  }

  /**
   * Until the transaction ends, nobody else holds this lock: what it reads stays true while it writes.
   *
   * @returns false where the account has been erased: nothing may be added to it any more
   */
  async lock(executor: Executor, accountId: string): Promise<boolean> {
    return (await executor.run(lock, [[accountId]])).length > 0;
  }

  /** As {@link lock}, without waiting: for those of the accounts that nobody else holds. Returns which they are. */
  async lockSkipLocked(executor: Executor, accountIds: readonly string[]): Promise<Set<string>> {
    return new Set((await executor.run<{ id: string }>(lockFree, [accountIds])).map(({ id }) => id));
  }
}
