import { Injectable } from '@nestjs/common';
import {
  effectOnBalance,
  type ImportProcessStatus,
  type Measure,
  MEASURES,
  type MeasureTotals,
  parseMoney,
  TRANSACTION_TYPES,
} from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';
import type { LinePosition } from './submission-results.repository';

/** The sums of some lines of a submission. */
export interface LineSums extends LinePosition {
  /** True if the sums are of lines without a process. */
  isRefused: boolean;
  totals: MeasureTotals;
}

/** The place of a process among those of its submission. */
export interface ProcessPosition {
  status: string;
  processId: string;
}

/**
 * A part of the processes of a submission: those whose account is stored; those whose account was erased; or those
 * without an account, by status.
 */
export type ProcessPart = 'stored' | 'erased' | Exclude<ImportProcessStatus, 'PROCESSED'>;

/** The sums of one part of some processes of a submission. */
export interface ProcessSums extends ProcessPosition {
  part: ProcessPart;
  /** Number of processes. */
  count: number;
  /** Of the rows in the account tables for `stored`, of the lines for other parts. */
  totals: MeasureTotals;
}

/** The measures that are columns of a line; each line is one account. */
const LINE_MEASURES = MEASURES.filter((measure) => measure !== 'accounts');

const sumsOf = (table: string) =>
  LINE_MEASURES.map((measure) => `coalesce(sum(${table}.${measure}), 0)::text AS ${measure}`).join(', ');

const oneSnapshot: Statement = {
  name: 'read-one-snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
};

// Compiling a statement would take longer than running it for one part of a submission.
const withoutCompilation: Statement = { name: 'without-compilation', text: 'SET LOCAL jit = off' };

const sumLines: Statement = {
  name: 'sum-submission-lines',
  text: `
    WITH line AS MATERIALIZED (
      SELECT upload_number, line, outcome, ${LINE_MEASURES.join(', ')} FROM submission_line
      WHERE submission_id = $1 AND (upload_number, line) > ($2::integer, $3::integer)
      ORDER BY upload_number, line LIMIT $4
    ), last AS MATERIALIZED (
      SELECT upload_number, line FROM line ORDER BY upload_number DESC, line DESC LIMIT 1
    )
    SELECT (SELECT upload_number FROM last) AS "uploadNumber", (SELECT line FROM last) AS line,
      outcome IS NOT NULL AS "isRefused", count(*)::text AS accounts, ${sumsOf('line')}
    FROM line GROUP BY outcome IS NOT NULL`,
};

/** The types of transactions that raise a balance. */
const RAISING_TYPES = TRANSACTION_TYPES.filter((type) => effectOnBalance({ type, amount: '1' }) > 0n)
  .map((type) => `'${type}'`)
  .join(', ');

const EFFECT = `CASE WHEN coalesce(details ->> 'to_prepay_meter_serial_number', '') <> '' THEN 0
        WHEN type IN (${RAISING_TYPES}) THEN amount ELSE -amount END`;

/**
 * For each measure, the rows of one account that its import has written: rows with an actor were added by requests, and
 * the opening balance is the balance without their effects. A request that confirms an imported payment instruction
 * leaves its name on it, so those are told by their time, which is that of the account.
 */
const STORED: Record<Exclude<Measure, 'accounts'>, string> = {
  customers: 'SELECT count(*) AS total FROM customer WHERE account_id = account.id',
  supply_points: 'SELECT count(*) AS total FROM supply_point WHERE account_id = account.id',
  statements:
    'SELECT count(*) AS total FROM historical_statement WHERE account_id = account.id AND actor IS NULL',
  transactions: 'SELECT added.imported AS total',
  opening_balance:
    'SELECT coalesce(sum(balance), 0) - added.effect AS total FROM ledger WHERE account_id = account.id',
  payment_instructions: `SELECT count(*) AS total FROM payment_instruction
        WHERE account_id = account.id AND (actor IS NULL OR created_at = account.created_at)`,
  debts: 'SELECT count(*) AS total FROM debt WHERE account_id = account.id',
};

const sumProcesses: Statement = {
  name: 'sum-submission-processes',
  // Each account is looked up by its key: LATERAL with an aggregate or OFFSET 0 is never planned as a join that reads
  // the accounts of other suppliers.
  text: `
    WITH process AS MATERIALIZED (
      SELECT id, status FROM import_process
      WHERE submission_id = $1 AND (status, id) > ($2::text, $3::bigint)
      ORDER BY status, id LIMIT $4
    ), last AS MATERIALIZED (
      SELECT status, id FROM process ORDER BY status DESC, id DESC LIMIT 1
    ), account AS MATERIALIZED (
      SELECT process.id AS process_id, process.status, account.id, account.created_at, account.erased_at
      FROM process LEFT JOIN LATERAL (
        SELECT id, created_at, erased_at FROM account WHERE process_id = process.id OFFSET 0
      ) account ON true
    ), stored AS (
      SELECT 'stored' AS part, count(*) AS count, count(*)::text AS accounts,
        ${LINE_MEASURES.map((measure) => `coalesce(sum(${measure}.total), 0)::text AS ${measure}`).join(', ')}
      FROM account
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE actor IS NULL) AS imported,
          coalesce(sum(${EFFECT}) FILTER (WHERE actor IS NOT NULL), 0) AS effect
        FROM transaction WHERE account_id = account.id
      ) added
      ${LINE_MEASURES.map((measure) => `CROSS JOIN LATERAL (${STORED[measure]}) ${measure}`).join('\n      ')}
      WHERE account.id IS NOT NULL AND account.erased_at IS NULL
    ), others AS (
      SELECT CASE WHEN account.erased_at IS NOT NULL THEN 'erased' ELSE account.status END AS part, count(*) AS count,
        count(line.accounts)::text AS accounts, ${sumsOf('line')}
      FROM account LEFT JOIN LATERAL (
        SELECT 1 AS accounts, ${LINE_MEASURES.join(', ')} FROM submission_line WHERE process_id = account.process_id OFFSET 0
      ) line ON true
      WHERE account.erased_at IS NOT NULL OR account.status <> 'PROCESSED'
      GROUP BY 1
    )
    SELECT last.status, last.id AS "processId", part.*
    FROM last CROSS JOIN (SELECT * FROM stored UNION ALL SELECT * FROM others) part`,
};

type TotalsRow = Record<Measure, string>;

/** Sums what a submission has received and what its imports have stored, in parts of bounded size. */
@Injectable()
export class SubmissionReconciliationRepository {
  constructor(private readonly database: Database) {}

  /** Runs `work` in a transaction that sees one state of the database and changes nothing. */
  async inSnapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.database.transaction(async (executor) => {
      await executor.run(oneSnapshot, []);
      await executor.run(withoutCompilation, []);
      return work(executor);
    });
  }

  /** Sums the next `size` lines after a position. Empty at the end. */
  async sumLines(
    executor: Executor,
    submissionId: string,
    after: LinePosition,
    size: number,
  ): Promise<LineSums[]> {
    const values = [submissionId, after.uploadNumber, after.line, size];
    const rows = await executor.run<LinePosition & { isRefused: boolean } & TotalsRow>(sumLines, values);
    return rows.map(({ uploadNumber, line, isRefused, ...totals }) => ({
      ...{ uploadNumber, line, isRefused },
      totals: toTotals(totals),
    }));
  }

  /** Sums the next `size` processes after a position, in the order of status and id. Empty at the end. */
  async sumProcesses(
    executor: Executor,
    submissionId: string,
    after: ProcessPosition,
    size: number,
  ): Promise<ProcessSums[]> {
    const values = [submissionId, after.status, after.processId, size];
    const rows = await executor.run<ProcessPosition & { part: ProcessPart; count: string } & TotalsRow>(
      sumProcesses,
      values,
    );
    return rows.map(({ status, processId, part, count, ...totals }) => ({
      ...{ status, processId, part, count: Number(count) },
      totals: toTotals(totals),
    }));
  }
}

/** Digits before the decimal point of a sum of balances. */
const SUM_DIGITS = 30;

function toTotals(row: TotalsRow): MeasureTotals {
  const totals = MEASURES.map((measure) => {
    if (measure !== 'opening_balance') return [measure, BigInt(row[measure])];
    const amount = parseMoney(row[measure], SUM_DIGITS);
    if (amount === undefined) throw new Error('A sum of balances is not an amount.');
    return [measure, amount];
  });
  return Object.fromEntries(totals) as MeasureTotals;
}
