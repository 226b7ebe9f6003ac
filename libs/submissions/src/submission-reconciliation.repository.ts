import { Injectable } from '@nestjs/common';
import { EFFECT_ON_BALANCE } from '@portage/accounts';
import {
  countsOfSubmissions,
  type ImportProcessStatus,
  isAmount,
  LINE_MEASURES,
  type LineMeasure,
  type Measure,
  MEASURES,
} from '@portage/imports';
import { Database, type Executor, parseMoney, type Statement } from '@portage/platform';
import type { MeasureTotals } from './reconciliation';

/** The place of a line in a submission. */
export interface LinePosition {
  uploadNumber: number;
  line: number;
}

/** The sums of some lines of a submission, with a process or without. */
export interface LineSums {
  /** The last of the lines. */
  last: LinePosition;
  /** True if the sums are of lines without a process. */
  isRefused: boolean;
  totals: MeasureTotals;
}

/**
 * A part of the processes of a submission: those whose account is stored; those whose account was erased; or those
 * without an account, by status.
 */
export type ProcessPart = 'stored' | 'erased' | Exclude<ImportProcessStatus, 'PROCESSED'>;

/** The sums of one part of some processes of a submission. */
export interface ProcessSums {
  /** The last of the processes. */
  processId: string;
  part: ProcessPart;
  /** Number of processes. */
  count: number;
  /** Of the rows in the account tables for `stored`, of the lines for other parts. */
  totals: MeasureTotals;
  /** Of the documents of `stored` accounts, those that were not found so far; 0 for other parts. */
  missingDocuments: number;
}

const sumOf = (measure: Measure) => `coalesce(sum(line.${measure}), 0)::text`;
const SUMS = LINE_MEASURES.map((measure) => `${sumOf(measure)} AS ${measure}`).join(', ');

/** A JSON object of the measures. */
const jsonOf = (valueOf: (measure: Measure) => string) =>
  `json_build_object(${MEASURES.map((measure) => `'${measure}', ${valueOf(measure)}`).join(', ')})`;

const oneSnapshot: Statement = {
  name: 'read-one-snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
};

const sumLines: Statement = {
  name: 'sum-submission-lines',
  text: `
    WITH line AS MATERIALIZED (
      SELECT * FROM submission_line
      WHERE submission_id = $1 AND (upload_number, line) > ($2::integer, $3::integer)
      ORDER BY upload_number, line LIMIT $4
    ), last AS (
      SELECT upload_number, line FROM line ORDER BY upload_number DESC, line DESC LIMIT 1
    )
    SELECT last.upload_number, last.line, sums.* FROM last LEFT JOIN (
      SELECT outcome IS NOT NULL AS is_refused,
        ${jsonOf((measure) => (measure === 'accounts' ? 'count(*)::text' : sumOf(measure)))} AS totals
      FROM line WHERE outcome IS DISTINCT FROM 'repeated' GROUP BY 1
    ) AS sums ON true`,
};

const countProcesses: Statement = {
  name: 'count-submission-processes',
  text: `
    SELECT CASE kind WHEN 'STAGED' THEN 'PENDING' ELSE kind END AS status, sum(count)::float8 AS count
    FROM (${countsOfSubmissions('ARRAY[$1::bigint]')}) AS counted
    WHERE kind NOT IN ('LINE', 'LINE_REFUSED', 'LINE_TAKEN_OVER', 'FOLLOWED_UP', 'WARNED')
    GROUP BY 1 HAVING sum(count) <> 0`,
};

const LAST_ID = '9223372036854775807';

/**
 * The accounts whose rows are counted. A condition on an array is always a search of an index for each of its values;
 * a join could be planned as one that reads the rows of other suppliers.
 */
const OF_STORED = 'account_id = ANY (ARRAY(SELECT id FROM stored))';

/** The length of a list of a meter, which may be missing. */
const lengthOf = (list: string) =>
  `CASE jsonb_typeof(meter -> '${list}') WHEN 'array' THEN jsonb_array_length(meter -> '${list}') ELSE 0 END`;

/**
 * For each measure, what the imports have written for the stored accounts: rows with an actor were added by requests, and
 * the opening balance is the balance without their effects. A request that confirms an imported payment instruction
 * leaves its name on it, and documents have no actor, so those are told by their time, which is that of the account.
 */
const STORED: Record<LineMeasure, string> = {
  customers: `SELECT count(*) FROM customer WHERE ${OF_STORED}`,
  supply_points: `SELECT count(*) FROM supply_point WHERE ${OF_STORED}`,
  readings: `SELECT coalesce(sum(${lengthOf('transfer_readings')} + ${lengthOf('reading_history')}), 0)
        FROM supply_point CROSS JOIN LATERAL jsonb_array_elements(meters) AS meter WHERE ${OF_STORED}`,
  statements: 'SELECT count FROM stated',
  statement_total: 'SELECT total FROM stated',
  transactions: 'SELECT coalesce(sum(imported), 0) FROM added',
  opening_balance: 'SELECT debits + credits FROM opened',
  opening_debits: 'SELECT debits FROM opened',
  opening_credits: 'SELECT credits FROM opened',
  payment_instructions: `SELECT count(*) FROM payment_instruction instruction
        WHERE ${OF_STORED} AND (actor IS NULL
          OR created_at = (SELECT created_at FROM account WHERE account.id = instruction.account_id))`,
  debts: `SELECT count(*) FROM debt WHERE ${OF_STORED}`,
  documents: 'SELECT count FROM named',
};

const sumOfLines = (part: string) => `
      SELECT ${part} AS part, count(*) AS count, 0 AS missing_documents, count(line.accounts)::text AS accounts, ${SUMS}`;

const lineOf = (process: string) => `LEFT JOIN LATERAL (
        SELECT 1 AS accounts, ${LINE_MEASURES.join(', ')} FROM submission_line WHERE process_id = ${process} OFFSET 0
      ) line ON true`;

const sumProcesses: Statement = {
  name: 'sum-submission-processes',
  text: `
    WITH process AS MATERIALIZED (
      SELECT id, status FROM import_process
      -- As rows, so that only the index with this order is read.
      WHERE submission_id = $1 AND (status, id) > ($2::text, $3::bigint) AND (status, id) <= ($2::text, ${LAST_ID})
      ORDER BY status, id LIMIT $4
    ), last AS MATERIALIZED (
      SELECT id FROM process ORDER BY id DESC LIMIT 1
    ), found AS MATERIALIZED (
      SELECT id, process_id, erased_at FROM account WHERE process_id = ANY (ARRAY(SELECT id FROM process))
    ), stored AS MATERIALIZED (
      SELECT id FROM found WHERE erased_at IS NULL
    ), added AS MATERIALIZED (
      SELECT account_id, ledger_position, count(*) FILTER (WHERE actor IS NULL) AS imported,
        coalesce(sum(${EFFECT_ON_BALANCE}) FILTER (WHERE actor IS NOT NULL), 0) AS effect
      FROM transaction WHERE ${OF_STORED} GROUP BY account_id, ledger_position
    ), opened AS MATERIALIZED (
      SELECT coalesce(sum(least(balance - coalesce(effect, 0), 0)), 0) AS debits,
        coalesce(sum(greatest(balance - coalesce(effect, 0), 0)), 0) AS credits
      FROM ledger LEFT JOIN added ON added.account_id = ledger.account_id AND added.ledger_position = ledger.position
      WHERE ledger.${OF_STORED}
    ), stated AS MATERIALIZED (
      SELECT count(*) AS count, coalesce(sum(round(gross_amount)), 0) AS total
      FROM historical_statement WHERE ${OF_STORED} AND actor IS NULL
    ), named AS MATERIALIZED (
      SELECT count(*) AS count, count(*) FILTER (WHERE state IN ('PENDING', 'MISSING')) AS missing
      FROM document
      WHERE ${OF_STORED} AND created_at = (SELECT created_at FROM account WHERE account.id = document.account_id)
    ), part AS (
      SELECT 'stored' AS part, count(*) AS count, (SELECT missing FROM named) AS missing_documents, count(*)::text AS accounts,
        ${LINE_MEASURES.map((measure) => `(${STORED[measure]})::text AS ${measure}`).join(',\n        ')}
      FROM stored
      UNION ALL ${sumOfLines(`'erased'`)}
      FROM found ${lineOf('found.process_id')}
      WHERE erased_at IS NOT NULL HAVING count(*) > 0
      UNION ALL ${sumOfLines('status')}
      FROM process ${lineOf('process.id')}
      WHERE status <> 'PROCESSED' GROUP BY status
    )
    SELECT last.id AS process_id, part.part, part.count, part.missing_documents, ${jsonOf((measure) => `part.${measure}`)} AS totals
    FROM last CROSS JOIN part`,
};

type TotalsRow = Record<Measure, string>;

/**
 * Sums what a submission has received, from its lines, and what its imports have stored, from the tables of accounts, in
 * parts of bounded size.
 */
@Injectable()
export class SubmissionReconciliationRepository {
  constructor(private readonly database: Database) {}

  /** Runs `work` in a transaction that sees one state of the database and changes nothing. */
  async inSnapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.database.transaction(async (executor) => {
      await executor.run(oneSnapshot, []);
      return work(executor);
    });
  }

  /**
   * Sums the next `size` lines after a place, without those that repeat an account of another line. Empty at the end.
   */
  async sumLines(
    executor: Executor,
    submissionId: string,
    after: LinePosition,
    size: number,
  ): Promise<LineSums[]> {
    const values = [submissionId, after.uploadNumber, after.line, size];
    const rows = await executor.run<LinePosition & { isRefused: boolean | null; totals: TotalsRow | null }>(
      sumLines,
      values,
    );
    return rows.map(({ uploadNumber, line, isRefused, totals }) => ({
      last: { uploadNumber, line },
      isRefused: isRefused === true,
      totals: totals ? toTotals(totals) : noTotals(),
    }));
  }

  /** Counts all processes by status. */
  async countProcesses(
    executor: Executor,
    submissionId: string,
  ): Promise<Partial<Record<ImportProcessStatus, number>>> {
    const rows = await executor.run<{ status: ImportProcessStatus; count: number }>(countProcesses, [
      submissionId,
    ]);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Sums the next `size` processes with a status after the process `after`, in the order of ids. Empty at the end. */
  async sumProcesses(
    executor: Executor,
    submissionId: string,
    status: ImportProcessStatus,
    after: string,
    size: number,
  ): Promise<ProcessSums[]> {
    const values = [submissionId, status, after, size];
    const rows = await executor.run<{
      processId: string;
      part: ProcessPart;
      count: string;
      missingDocuments: string;
      totals: TotalsRow;
    }>(sumProcesses, values);
    return rows.map(({ processId, part, count, missingDocuments, totals }) => ({
      processId,
      part,
      count: Number(count),
      missingDocuments: Number(missingDocuments),
      totals: toTotals(totals),
    }));
  }
}

/** Digits before the decimal point of a sum of balances. */
const SUM_DIGITS = 30;

/** The sums of nothing. */
export function noTotals(): MeasureTotals {
  return Object.fromEntries(MEASURES.map((measure) => [measure, 0n])) as MeasureTotals;
}

function toTotals(row: TotalsRow): MeasureTotals {
  const totals = MEASURES.map((measure) => {
    if (!isAmount(measure)) return [measure, BigInt(row[measure])];
    const amount = parseMoney(row[measure], SUM_DIGITS);
    if (amount === undefined) throw new Error('A sum of balances is not an amount.');
    return [measure, amount];
  });
  return Object.fromEntries(totals) as MeasureTotals;
}
