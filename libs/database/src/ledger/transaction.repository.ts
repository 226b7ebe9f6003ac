import { Injectable } from '@nestjs/common';
import type { LocalDate, Period } from '@portage/domain';
import type { Executor, Statement } from '../connection/database';

/** A ledger and its open statement period, which is what transactions are added to. */
export interface OpenLedger extends Period {
  position: number;
  periodPosition: number;
  /** Decimal text. */
  balance: string;
  /** Supply points that are billed to it. */
  identifiers: string[];
}

/** What a request to add transactions follows from: what its account has. */
export interface LedgerSnapshot {
  /** At least one, in the order of their positions. */
  ledgers: OpenLedger[];
  /** Which of the ids that were asked for the account has. */
  existing: string[];
}

/** A transaction as it is to be stored. */
export interface NewTransaction {
  ledgerPosition: number;
  periodPosition: number;
  transactionId: string;
  type: string;
  amount: string;
  transactionDate: LocalDate;
  originalDate: LocalDate | null;
  adjustment: string | null;
  reason: string | undefined;
  details: Record<string, unknown>;
}

/** Days, both included, for which a supply point is charged. */
export interface NewChargedPeriod {
  supplyPointIdentifier: string;
  startDate: LocalDate;
  endDate: LocalDate;
}

/** Everything that one request adds to its account. */
export interface LedgerChange {
  transactions: readonly NewTransaction[];
  chargedPeriods: readonly NewChargedPeriod[];
  /** By how much the balance of which ledger changes, as decimal text. */
  effects: readonly { position: number; effect: string }[];
  /** To be pinned to the account. */
  note: string | null;
}

/** What is added to which account. */
export interface AccountLedgerChange extends LedgerChange {
  accountId: string;
}

/** Days that have been charged already. */
export interface ChargedDays {
  /** Which of the periods that were asked for has them. */
  index: number;
  start: LocalDate;
  end: LocalDate;
}

const ground: Statement = {
  name: 'read-posting-ground',
  text: `
    SELECT asked.account_id AS "accountId",
      (SELECT json_agg(json_build_object('position', ledger.position, 'periodPosition', period.position,
          'start', period.start_date, 'end', period.end_date, 'balance', ledger.balance::text,
          'identifiers', coalesce(ledger.details -> 'identifiers', '[]')) ORDER BY ledger.position)
        FROM ledger
        JOIN statement_period period ON period.account_id = ledger.account_id
          AND period.ledger_position = ledger.position AND period.closed_at IS NULL
        WHERE ledger.account_id = asked.account_id) AS ledgers,
      ARRAY(SELECT DISTINCT transaction_id FROM transaction
        WHERE account_id = asked.account_id
          AND transaction_id = ANY(ARRAY(SELECT json_array_elements_text(asked.ids)))) AS existing
    FROM ROWS FROM (unnest($1::bigint[]), json_array_elements($2::json)) AS asked (account_id, ids)`,
};

const firstCharged: Statement = {
  name: 'first-charged-days',
  // range_agg makes one sorted set of days a supply point, which each period is then looked up in: without it, a
  // supply point with thousands of charges would be compared with thousands, each with each.
  text: `
    WITH asked AS (
      SELECT * FROM unnest($2::text[], $3::date[], $4::date[]) WITH ORDINALITY
        AS asked (supply_point_identifier, start_date, end_date, place)
    ), found AS MATERIALIZED (
      SELECT account_id, supply_point_identifier, start_date, end_date
      FROM charged_period WHERE supply_point_identifier = ANY($2)
    ), charged AS (
      SELECT supply_point_identifier, range_agg(daterange(start_date, end_date, '[]')) AS days
      FROM found
      JOIN account ON account.id = found.account_id
      JOIN import_supplier supplier ON supplier.id = account.supplier_id
      WHERE supplier.organisation_id = (
        SELECT organisation_id FROM import_supplier own JOIN account ON account.supplier_id = own.id
        WHERE account.id = $1)
      GROUP BY supply_point_identifier
    ), clash AS (
      SELECT place, days * datemultirange(daterange(start_date, end_date, '[]')) AS days
      FROM asked JOIN charged USING (supply_point_identifier)
      WHERE days && daterange(start_date, end_date, '[]')
      ORDER BY place LIMIT 1
    )
    SELECT place::integer - 1 AS index, lower(days)::text AS start, (upper(days) - 1)::text AS end FROM clash`,
};

const post: Statement = {
  name: 'post-transactions',
  // An array a column: json_to_recordset takes four times as long to take rows apart, a third of the whole statement.
  // The details are one JSON array: in a jsonb[] each of their quotes would have to be escaped.
  text: `
    WITH added AS (
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, original_date, adjustment, reason, details)
      SELECT * FROM ROWS FROM (unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::numeric[],
        $7::date[], $8::date[], $9::text[], $10::text[]), jsonb_array_elements($11::jsonb))
    ), charged AS (
      INSERT INTO charged_period (account_id, supply_point_identifier, start_date, end_date)
      SELECT * FROM unnest($12::bigint[], $13::text[], $14::date[], $15::date[])
    ), balanced AS (
      UPDATE ledger SET balance = balance + change.effect
      FROM unnest($16::bigint[], $17::integer[], $18::numeric[]) AS change (account_id, position, effect)
      WHERE ledger.account_id = change.account_id AND ledger.position = change.position
    )
    INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths)
    SELECT account_id, body, true, false, '{}' FROM unnest($19::bigint[], $20::text[]) AS note (account_id, body)`,
};

const beforeRehearsal: Statement = { name: 'before-rehearsal', text: 'SAVEPOINT rehearsal' };
const afterRehearsal: Statement = {
  name: 'after-rehearsal',
  text: 'ROLLBACK TO SAVEPOINT rehearsal',
};

/**
 * Adds transactions to the ledgers of an account. Whoever does so holds the account's lock
 * ({@link ImportedAccountRepository.lock}) from the first question on, so that the answers stay true.
 */
@Injectable()
export class TransactionRepository {
  /** What accounts have, each its own: ledgers, and which of the transactions that are asked for. */
  async ledgerSnapshots(
    executor: Executor,
    asked: readonly { accountId: string; transactionIds: readonly string[] }[],
  ): Promise<Map<string, LedgerSnapshot>> {
    const rows = await executor.run<{
      accountId: string;
      ledgers: OpenLedger[] | null;
      existing: string[];
    }>(ground, [
      asked.map(({ accountId }) => accountId),
      JSON.stringify(asked.map(({ transactionIds }) => transactionIds)),
    ]);
    return new Map(
      rows.map(({ accountId, ledgers, existing }) => [accountId, { ledgers: ledgers ?? [], existing }]),
    );
  }

  /** The first of these periods with days that the organisation's accounts have been charged for already. */
  async firstCharged(
    executor: Executor,
    accountId: string,
    periods: readonly NewChargedPeriod[],
  ): Promise<ChargedDays | undefined> {
    const [clash] = await executor.run<ChargedDays & Record<string, unknown>>(firstCharged, [
      accountId,
      periods.map((period) => period.supplyPointIdentifier),
      periods.map((period) => period.startDate),
      periods.map((period) => period.endDate),
    ]);
    return clash;
  }

  /** Stores transactions, what they do to the balances, what they charge, and notes, in one statement. */
  async add(executor: Executor, postings: readonly AccountLedgerChange[]): Promise<void> {
    const transactions = ofAccounts(postings, ({ transactions }) => transactions);
    const charged = ofAccounts(postings, ({ chargedPeriods }) => chargedPeriods);
    const effects = ofAccounts(postings, ({ effects }) => effects);
    const notes = postings.filter(({ note }) => note !== null);
    await executor.run(post, [
      transactions.accountIds,
      transactions.rows.map((row) => row.ledgerPosition),
      transactions.rows.map((row) => row.periodPosition),
      transactions.rows.map((row) => row.transactionId),
      transactions.rows.map((row) => row.type),
      transactions.rows.map((row) => row.amount),
      transactions.rows.map((row) => row.transactionDate),
      transactions.rows.map((row) => row.originalDate),
      transactions.rows.map((row) => row.adjustment),
      transactions.rows.map((row) => row.reason),
      JSON.stringify(transactions.rows.map((row) => row.details)),
      charged.accountIds,
      charged.rows.map((row) => row.supplyPointIdentifier),
      charged.rows.map((row) => row.startDate),
      charged.rows.map((row) => row.endDate),
      effects.accountIds,
      effects.rows.map((row) => row.position),
      effects.rows.map((row) => row.effect),
      notes.map(({ accountId }) => accountId),
      notes.map(({ note }) => note),
    ]);
  }

  /** Does all that {@link post} does and takes it back; the transaction goes on. */
  async rehearse(executor: Executor, postings: readonly AccountLedgerChange[]): Promise<void> {
    await executor.run(beforeRehearsal, []);
    await this.add(executor, postings);
    await executor.run(afterRehearsal, []);
  }
}

/** The rows of all postings, and whose each of them is. */
function ofAccounts<Row>(
  postings: readonly AccountLedgerChange[],
  rowsOf: (posting: AccountLedgerChange) => readonly Row[],
): { accountIds: string[]; rows: Row[] } {
  return {
    accountIds: postings.flatMap((posting) => rowsOf(posting).map(() => posting.accountId)),
    rows: postings.flatMap(rowsOf),
  };
}
