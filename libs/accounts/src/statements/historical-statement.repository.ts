import { Injectable } from '@nestjs/common';
import type { Statement as HistoricalStatement } from '@portage/account-schema';
import type { Executor, Statement } from '@portage/platform';
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

/** The fields of a statement with the properties of its entity. They are read as rows, because there can be 10,000. */
const COLUMNS = [
  ['statement_id', 'statementId'],
  ['bill_period_from_date', 'billPeriodFromDate'],
  ['bill_period_to_date', 'billPeriodToDate'],
  ['issued_date', 'issuedDate'],
  ['number', 'number'],
  ['gross_amount', 'grossAmount'],
  ['statement_path', 'statementPath'],
] as const satisfies readonly (readonly [keyof HistoricalStatement, keyof HistoricalStatementEntity])[];

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
    const asking = executor.manager
      .createQueryBuilder(HistoricalStatementEntity, 'statement')
      .select('statement.accountId', 'accountId')
      .where(
        `(statement.accountId, statement.statementId) IN
          (SELECT * FROM unnest(:accounts::bigint[], :statements::text[]))`,
        {
          accounts: asked.flatMap(({ accountId, statements }) => statements.map(() => accountId)),
          statements: asked.flatMap(({ statements }) => statements.map(({ statement_id: id }) => id)),
        },
      );
    for (const [field, property] of COLUMNS) asking.addSelect(`CAST(statement.${property} AS text)`, field);
    const rows = await asking.getRawMany<StoredHistoricalStatement & { accountId: string }>();
    const found = new Map<string, Map<string, StoredHistoricalStatement>>();
    for (const { accountId, ...stored } of rows) {
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
