import { Injectable } from '@nestjs/common';
import { effectOnBalance, TRANSACTION_TYPES } from '@portage/accounts';
import { type ImportProcessStatus, type Measure, MEASURES } from '@portage/imports';
import { Database, type Executor, parseMoney, type Statement } from '@portage/platform';
import type { MeasureTotals } from './reconciliation';
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

const sumOf = (measure: Measure) => `coalesce(sum(line.${measure}), 0)::text`;
const SUMS = LINE_MEASURES.map((measure) => `${sumOf(measure)} AS ${measure}`).join(', ');

/** A JSON object of the measures. */
const jsonOf = (valueOf: (measure: Measure) => string) =>
  `json_build_object(${MEASURES.map((measure) => `'${measure}', ${valueOf(measure)}`).join(', ')})`;

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
    SELECT (SELECT upload_number FROM last) AS upload_number, (SELECT line FROM last) AS line,
      outcome IS NOT NULL AS is_refused,
      ${jsonOf((measure) => (measure === 'accounts' ? 'count(*)::text' : sumOf(measure)))} AS totals
    FROM line GROUP BY outcome IS NOT NULL`,
};

/** The types of transactions that raise a balance. */
const RAISING_TYPES = TRANSACTION_TYPES.filter((type) => effectOnBalance({ type, amount: '1' }) > 0n)
  .map((type) => `'${type}'`)
  .join(', ');

const EFFECT = `CASE WHEN coalesce(details ->> 'to_prepay_meter_serial_number', '') <> '' THEN 0
        WHEN type IN (${RAISING_TYPES}) THEN amount ELSE -amount END`;

/**
 * The accounts whose rows are counted. A condition on an array is always a search of an index for each of its values;
 * a join could be planned as one that reads the rows of other suppliers.
 */
const OF_STORED = 'account_id = ANY (ARRAY(SELECT id FROM stored))';

/**
 * For each measure, what the imports have written for the stored accounts: rows with an actor were added by requests, and
 * the opening balance is the balance without their effects. A request that confirms an imported payment instruction
 * leaves its name on it, so those are told by their time, which is that of the account.
 */
const STORED: Record<Exclude<Measure, 'accounts'>, string> = {
  customers: `SELECT count(*) FROM customer WHERE ${OF_STORED}`,
  supply_points: `SELECT count(*) FROM supply_point WHERE ${OF_STORED}`,
  statements: `SELECT count(*) FROM historical_statement WHERE ${OF_STORED} AND actor IS NULL`,
  transactions: 'SELECT imported FROM added',
  opening_balance: `SELECT coalesce(sum(balance), 0) - (SELECT effect FROM added) FROM ledger WHERE ${OF_STORED}`,
  payment_instructions: `SELECT count(*) FROM payment_instruction instruction
        WHERE ${OF_STORED} AND (actor IS NULL
          OR created_at = (SELECT created_at FROM account WHERE account.id = instruction.account_id))`,
  debts: `SELECT count(*) FROM debt WHERE ${OF_STORED}`,
};

const sumOfLines = (part: string) => `
      SELECT ${part} AS part, count(*) AS count, count(line.accounts)::text AS accounts, ${SUMS}`;

const lineOf = (process: string) => `LEFT JOIN LATERAL (
        SELECT 1 AS accounts, ${LINE_MEASURES.join(', ')} FROM submission_line WHERE process_id = ${process} OFFSET 0
      ) line ON true`;

const sumProcesses: Statement = {
  name: 'sum-submission-processes',
  text: `
    WITH process AS MATERIALIZED (
      SELECT id, status FROM import_process
      WHERE submission_id = $1 AND (status, id) > ($2::text, $3::bigint)
      ORDER BY status, id LIMIT $4
    ), last AS MATERIALIZED (
      SELECT status, id FROM process ORDER BY status DESC, id DESC LIMIT 1
    ), found AS MATERIALIZED (
      SELECT id, process_id, erased_at FROM account WHERE process_id = ANY (ARRAY(SELECT id FROM process))
    ), stored AS MATERIALIZED (
      SELECT id FROM found WHERE erased_at IS NULL
    ), added AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE actor IS NULL) AS imported,
        coalesce(sum(${EFFECT}) FILTER (WHERE actor IS NOT NULL), 0) AS effect
      FROM transaction WHERE ${OF_STORED}
    ), part AS (
      SELECT 'stored' AS part, count(*) AS count, count(*)::text AS accounts,
        ${LINE_MEASURES.map((measure) => `(${STORED[measure]})::text AS ${measure}`).join(',\n        ')}
      FROM stored
      UNION ALL ${sumOfLines(`'erased'`)}
      FROM found ${lineOf('found.process_id')}
      WHERE erased_at IS NOT NULL HAVING count(*) > 0
      UNION ALL ${sumOfLines('status')}
      FROM process ${lineOf('process.id')}
      WHERE status <> 'PROCESSED' GROUP BY status
    )
    SELECT last.status, last.id AS process_id, part.part, part.count, ${jsonOf((measure) => `part.${measure}`)} AS totals
    FROM last CROSS JOIN part`,
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
    const rows = await executor.run<LinePosition & { isRefused: boolean; totals: TotalsRow }>(
      sumLines,
      values,
    );
    return rows.map(({ uploadNumber, line, isRefused, totals }) => ({
      uploadNumber,
      line,
      isRefused,
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
    const rows = await executor.run<
      ProcessPosition & { part: ProcessPart; count: string; totals: TotalsRow }
    >(sumProcesses, values);
    return rows.map(({ status, processId, part, count, totals }) => ({
      status,
      processId,
      part,
      count: Number(count),
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
