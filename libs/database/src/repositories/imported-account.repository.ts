import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '../database';

/** An account that later requests are about. */
export interface ImportedAccount {
  id: string;
  number: string;
}

const find: Statement = {
  name: 'find-imported-account',
  text: 'SELECT id, number FROM account WHERE supplier_id = $1 AND external_account_number = $2 AND erased_at IS NULL',
};

const lock: Statement = {
  name: 'lock-account',
  // Not FOR UPDATE: rows that refer to the account may go on being added.
  text: 'SELECT id FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
};

/** Finds accounts, and makes those who write to one wait for each other. */
@Injectable()
export class ImportedAccountRepository {
  constructor(private readonly database: Database) {}

  async find(supplierId: number, externalAccountNumber: string): Promise<ImportedAccount | undefined> {
    const [account] = await this.database.run<ImportedAccount & Record<string, unknown>>(find, [
      supplierId,
      externalAccountNumber,
    ]);
    return account;
  }

  /**
   * Until the transaction ends, nobody else holds this lock: what it reads stays true while it writes.
   *
   * @returns false where the account has been erased: nothing may be added to it any more
   */
  async lock(executor: Executor, accountId: string): Promise<boolean> {
    return (await executor.run(lock, [accountId])).length > 0;
  }
}
