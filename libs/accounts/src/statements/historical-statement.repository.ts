import { Injectable } from '@nestjs/common';
import type { Statement as HistoricalStatement } from '@portage/account-schema';
import { anyOf, type Executor, type Statement } from '@portage/platform';

const find: Statement = {
  name: 'find-historical-statements',
  text: `
    SELECT json_build_object('statement_id', statement_id, 'bill_period_from_date', bill_period_from_date,
      'bill_period_to_date', bill_period_to_date, 'issued_date', issued_date, 'number', number,
      'gross_amount', gross_amount::text, 'statement_path', statement_path) AS stored
    FROM historical_statement
    WHERE account_id = $1 AND statement_id = ${anyOf('$2::text[]')}`,
};

const add: Statement = {
  name: 'add-historical-statements',
  text: `
    INSERT INTO historical_statement (account_id, actor, statement_id, bill_period_from_date, bill_period_to_date,
      issued_date, number, gross_amount, statement_path)
    SELECT $1, $3, statement.* FROM json_to_recordset($2::json) AS statement (statement_id text,
      bill_period_from_date date, bill_period_to_date date, issued_date date, number text, gross_amount numeric,
      statement_path text)`,
};

/** A stored statement. */
export type StoredHistoricalStatement = {
  readonly [Field in keyof HistoricalStatement]-?: string | null;
};

/** Historical statements. The caller holds the lock of the account from `find` to `add`. */
@Injectable()
export class HistoricalStatementRepository {
  /** Finds the statements of the account that have one of these ids. */
  async find(
    executor: Executor,
    accountId: string,
    statementIds: readonly string[],
  ): Promise<StoredHistoricalStatement[]> {
    const values = [accountId, statementIds];
    const rows = await executor.run<{ stored: StoredHistoricalStatement }>(find, values);
    return rows.map(({ stored }) => stored);
  }

  /** Adds statements to the account, in the name of the actor. */
  async add(
    executor: Executor,
    accountId: string,
    statements: readonly HistoricalStatement[],
    actor: string,
  ): Promise<void> {
    if (statements.length > 0) await executor.run(add, [accountId, JSON.stringify(statements), actor]);
  }
}
