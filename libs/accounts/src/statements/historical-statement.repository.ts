import { Injectable } from '@nestjs/common';
import type { Statement as HistoricalStatement } from '@portage/account-schema';
import type { Executor, Statement } from '@portage/platform';
import { Any } from 'typeorm';
import { HistoricalStatementEntity } from './historical-statement.entity';

const add: Statement = {
  name: 'add-historical-statements',
  text: `
    INSERT INTO historical_statement (account_id, actor, statement_id, bill_period_from_date, bill_period_to_date,
      issued_date, number, gross_amount, statement_path)
    SELECT * FROM ROWS FROM (unnest($1::bigint[]), unnest($2::text[]), json_to_recordset($3::json) AS (statement_id text,
      bill_period_from_date date, bill_period_to_date date, issued_date date, number text, gross_amount numeric,
      statement_path text))`,
};

/** A stored statement. */
export type StoredHistoricalStatement = {
  readonly [Field in keyof HistoricalStatement]-?: string | null;
};

/** Statements to add to an account, in the name of the actor. */
export interface NewStatements {
  accountId: string;
  actor: string;
  statements: readonly HistoricalStatement[];
}

/** Historical statements. The caller holds the locks of the accounts from `find` to `add`. */
@Injectable()
export class HistoricalStatementRepository {
  /** Finds the stored statements that have the ids of these, by account and id. */
  async find(
    executor: Executor,
    asked: readonly Pick<NewStatements, 'accountId' | 'statements'>[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredHistoricalStatement>>> {
    if (asked.length === 0) return new Map();
    const rows = await executor.manager.find(HistoricalStatementEntity, {
      where: asked.map(({ accountId, statements }) => ({
        accountId,
        statementId: Any(statements.map(({ statement_id: id }) => id)),
      })),
    });
    const found = new Map<string, Map<string, StoredHistoricalStatement>>();
    for (const { accountId, ...row } of rows) {
      const ofAccount = found.get(accountId) ?? new Map<string, StoredHistoricalStatement>();
      found.set(accountId, ofAccount.set(row.statementId, toStored(row)));
    }
    return found;
  }

  /** Adds statements to accounts. */
  async add(executor: Executor, added: readonly NewStatements[]): Promise<void> {
    const rows = added.flatMap(({ statements }) => statements);
    if (rows.length === 0) return;
    await executor.run(add, [
      added.flatMap(({ accountId, statements }) => statements.map(() => accountId)),
      added.flatMap(({ actor, statements }) => statements.map(() => actor)),
      JSON.stringify(rows),
    ]);
  }
}

function toStored(row: Omit<HistoricalStatementEntity, 'accountId'>): StoredHistoricalStatement {
  return {
    statement_id: row.statementId,
    bill_period_from_date: row.billPeriodFromDate,
    bill_period_to_date: row.billPeriodToDate,
    issued_date: row.issuedDate,
    number: row.number,
    gross_amount: row.grossAmount,
    statement_path: row.statementPath,
  };
}
