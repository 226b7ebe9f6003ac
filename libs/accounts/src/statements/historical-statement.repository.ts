import { Injectable } from '@nestjs/common';
import type { Statement as HistoricalStatement } from '@portage/account-schema';
import { type Executor, type Statement, unnestArrays } from '@portage/platform';

const find: Statement = {
  name: 'find-historical-statements',
  text: `
    SELECT account_id, json_build_object('statement_id', statement_id, 'bill_period_from_date', bill_period_from_date,
      'bill_period_to_date', bill_period_to_date, 'issued_date', issued_date, 'number', number,
      'gross_amount', gross_amount::text, 'statement_path', statement_path) AS stored
    FROM ${unnestArrays('$1::bigint[], $2::text[]')} AS asked (account_id, statement_id)
    JOIN historical_statement USING (account_id, statement_id)`,
};

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
    const rows = await executor.run<{ accountId: string; stored: StoredHistoricalStatement }>(find, [
      asked.flatMap(({ accountId, statements }) => statements.map(() => accountId)),
      asked.flatMap(({ statements }) => statements.map(({ statement_id: id }) => id)),
    ]);
    const found = new Map<string, Map<string, StoredHistoricalStatement>>();
    for (const { accountId, stored } of rows) {
      const ofAccount = found.get(accountId) ?? new Map<string, StoredHistoricalStatement>();
      found.set(accountId, ofAccount.set(stored.statement_id ?? '', stored));
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
