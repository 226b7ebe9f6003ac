import { Injectable } from '@nestjs/common';
import type { LocalDate, Period } from '@portage/domain';
import type { Executor, Statement } from '../database';

/** A ledger and its open statement period, which is what transactions are added to. */
export interface OpenLedger extends Period {
  position: number;
  periodPosition: number;
  /** Decimal text. */
  balance: string;
  /** Supply points that are billed to it. */
  identifiers: string[];
}

/** What a request to add transactions follows from. */
export interface PostingGround {
  /** At least one, in the order of their positions. */
  ledgers: OpenLedger[];
  /** Which of the ids that were asked for the account has. */
  existing: string[];
}

/** A transaction as it is to be stored. */
export interface NewTransaction {
  ledger_position: number;
  period_position: number;
  transaction_id: string;
  type: string;
  amount: string;
  transaction_date: LocalDate;
  original_date: LocalDate | null;
  adjustment: string | null;
  reason: string | undefined;
  details: Record<string, unknown>;
}

/** Days, both included, for which a supply point is charged. */
export interface NewChargedPeriod {
  supply_point_identifier: string;
  start_date: LocalDate;
  end_date: LocalDate;
}

/** Everything that one request adds to an account. */
export interface Posting {
  transactions: readonly NewTransaction[];
  chargedPeriods: readonly NewChargedPeriod[];
  /** By how much the balance of which ledger changes, as decimal text. */
  effects: readonly { position: number; effect: string }[];
  /** To be pinned to the account. */
  note: string | null;
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
    SELECT
      (SELECT json_agg(json_build_object('position', ledger.position, 'periodPosition', period.position,
          'start', period.start_date, 'end', period.end_date, 'balance', ledger.balance::text,
          'identifiers', coalesce(ledger.details -> 'identifiers', '[]')) ORDER BY ledger.position)
        FROM ledger
        JOIN statement_period period ON period.account_id = ledger.account_id
          AND period.ledger_position = ledger.position AND period.closed_at IS NULL
        WHERE ledger.account_id = $1) AS ledgers,
      ARRAY(SELECT DISTINCT transaction_id FROM transaction
        WHERE account_id = $1 AND transaction_id = ANY($2::text[])) AS existing`,
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
  text: `
    WITH added AS (
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, original_date, adjustment, reason, details)
      SELECT $1, ledger_position, period_position, transaction_id, type, amount, transaction_date, original_date,
        adjustment, reason, details
      FROM json_to_recordset($2::json) AS new (ledger_position integer, period_position integer, transaction_id text,
        type text, amount numeric, transaction_date date, original_date date, adjustment text, reason text,
        details jsonb)
    ), charged AS (
      INSERT INTO charged_period (account_id, supply_point_identifier, start_date, end_date)
      SELECT $1, supply_point_identifier, start_date, end_date
      FROM json_to_recordset($3::json) AS new (supply_point_identifier text, start_date date, end_date date)
    ), balanced AS (
      UPDATE ledger SET balance = balance + change.effect
      FROM unnest($4::integer[], $5::numeric[]) AS change (position, effect)
      WHERE ledger.account_id = $1 AND ledger.position = change.position
    )
    INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths)
    SELECT $1, $6::text, true, false, '{}' WHERE $6::text IS NOT NULL`,
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
  /** What the account has: its ledgers, and which of these transactions. */
  async ground(
    executor: Executor,
    accountId: string,
    transactionIds: readonly string[],
  ): Promise<PostingGround> {
    const [row] = await executor.run<{ ledgers: OpenLedger[] | null; existing: string[] }>(ground, [
      accountId,
      transactionIds,
    ]);
    return { ledgers: row?.ledgers ?? [], existing: row?.existing ?? [] };
  }

  /** The first of these periods with days that the organisation's accounts have been charged for already. */
  async firstCharged(
    executor: Executor,
    accountId: string,
    periods: readonly NewChargedPeriod[],
  ): Promise<ChargedDays | undefined> {
    const [clash] = await executor.run<ChargedDays & Record<string, unknown>>(firstCharged, [
      accountId,
      periods.map((period) => period.supply_point_identifier),
      periods.map((period) => period.start_date),
      periods.map((period) => period.end_date),
    ]);
    return clash;
  }

  /** Stores transactions, what they do to the balances, what they charge, and the note, in one statement. */
  async post(executor: Executor, accountId: string, posting: Posting): Promise<void> {
    await executor.run(post, [
      accountId,
      JSON.stringify(posting.transactions),
      JSON.stringify(posting.chargedPeriods),
      posting.effects.map(({ position }) => position),
      posting.effects.map(({ effect }) => effect),
      posting.note,
    ]);
  }

  /** Does all that {@link post} does and takes it back; the transaction goes on. */
  async rehearse(executor: Executor, accountId: string, posting: Posting): Promise<void> {
    await executor.run(beforeRehearsal, []);
    await this.post(executor, accountId, posting);
    await executor.run(afterRehearsal, []);
  }
}
