import { Injectable } from '@nestjs/common';
import type { Executor } from '@portage/platform';
import { IsNull } from 'typeorm';
import { AccountEntity } from '../account/account.entity';
import { DocumentEntity } from '../documents/document.entity';
import { documentsAt } from '../documents/document.repository';
import { LedgerEntity } from '../statements/ledger.entity';
import { StatementPeriodEntity } from '../statements/statement-period.entity';
import { LEDGER_BALANCE } from '../statements/statement-period.repository';
import { TransactionEntity } from '../transactions/transaction.entity';
import { type AccountTable, accountTables } from './account-rows';

/** An account that is locked until the transaction ends. */
export interface LockedAccount {
  id: string;
  processId: string;
  supplierId: number;
  externalAccountNumber: string;
  /** The code of its supplier. */
  supplier: string;
  documentRoot: string;
  /** PostgreSQL's text; null while it has not been erased. */
  erasedAt: string | null;
}

/** Tables whose rows are retained without personal data: booked amounts and their dates. */
const RETAINED_TABLES = new Set<AccountTable>(['ledger', 'statement_period', 'transaction']);

/** A row is deleted before those that it refers to, which the import writes first. */
const DELETED_TABLES = [
  'idempotency_key',
  'account_request',
  ...accountTables.filter((table) => !RETAINED_TABLES.has(table)).toReversed(),
];

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
    const { id, processId, supplierId, externalAccountNumber, erasedAt, supplier } = found;
    const { code, documentRoot } = supplier;
    return { id, processId, supplierId, externalAccountNumber, erasedAt, supplier: code, documentRoot };
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
   * Erases all personal data of the account. Retains its numbers and external identifier, dates and booked amounts.
   *
   * @returns the time of the erasure, as PostgreSQL prints it
   */
  async erase({ manager }: Executor, { id }: LockedAccount): Promise<string> {
    const ofAccount = { accountId: id };
    for (const table of DELETED_TABLES) await manager.delete(table, ofAccount);
    await manager.update(TransactionEntity, ofAccount, {
      transactionId: () => 'id::text',
      reason: null,
      originalDate: null,
      adjustment: null,
      details: {},
    });
    await manager.update(LedgerEntity, ofAccount, { ledgerCode: null, ledgerIdentifier: null, details: {} });
    // No further transactions are accepted, so the roll-over must not find an open period.
    await manager.update(
      StatementPeriodEntity,
      { ...ofAccount, closedAt: IsNull() },
      { closedAt: () => 'now()', closingBalance: () => LEDGER_BALANCE },
    );
    const erased = await manager
      .createQueryBuilder()
      .update(AccountEntity)
      .set({
        accountType: null,
        externalIdentifier: () =>
          'CASE WHEN external_identifier = external_account_number THEN external_identifier END',
        billing: {},
        details: {},
        erasedAt: () => 'now()',
        payloadErasedAt: () => 'coalesce(payload_erased_at, now())',
      })
      .where({ id })
      .returning('erased_at')
      .execute();
    return (erased.raw as [{ erased_at: string }])[0].erased_at;
  }
}
