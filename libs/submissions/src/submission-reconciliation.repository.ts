import { Injectable } from '@nestjs/common';
import { EFFECT_ON_BALANCE } from '@portage/accounts';
import {
  type ImportProcessStatus,
  isAmount,
  LINE_MEASURES,
  type LineMeasure,
  type Measure,
  MEASURES,
} from '@portage/imports';
import { Database, type Executor, MAX_ID, parseMoney, type Statement } from '@portage/platform';
import { type MeasureTotals, noTotals } from './reconciliation';
import { BEFORE_ALL, type LinePosition } from './submission-results.repository';

/** Lines or processes of one statement, so that none of them runs for long. */
const CHUNK_ROWS = 10_000;

/** The sums of some lines of a submission, with a process or without. */
export interface LineSums {
  /** True if the sums are of lines without a process. */
  isRefused: boolean;
  totals: MeasureTotals;
}

/**
 * A part of the processes of a submission: those whose account is stored; those whose account was erased, or corrected by
 * others; or those without an account, by status, or because their supplier has taken the account back.
 */
export type ProcessPart =
  | 'stored'
  | 'erased'
  | 'corrected'
  | 'TAKEN_BACK'
  | Exclude<ImportProcessStatus, 'PROCESSED'>;

/**
 * A part of the accounts that were imported before a submission has sent them: those that are stored as it has sent them;
 * those that were erased, or corrected by others, since; those whose correction was rehearsed, is pending or has failed;
 * and those that are gone.
 */
export type ImportedPart = 'stored' | 'erased' | 'corrected' | 'rehearsed' | 'pending' | 'failed' | 'gone';

/** The sums of one part of some lines whose accounts were imported before. */
export interface ImportedSums extends Omit<ProcessSums, 'part'> {
  part: ImportedPart;
}

/** The sums of one part of some processes of a submission. */
export interface ProcessSums {
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
      SELECT coalesce(outcome IN ('refused', 'cancelled'), false) AS is_refused,
        ${jsonOf((measure) => (measure === 'accounts' ? 'count(*)::text' : sumOf(measure)))} AS totals
      FROM line WHERE outcome IS DISTINCT FROM 'repeated' GROUP BY 1
    ) AS sums ON true`,
};

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

/**
 * Builds a statement that sums rows of accounts, and lines of those that are not stored.
 *
 * @param position the columns of a row of `process` by which the next rows are found, in their order
 * @param process the CTE `process (id, part)` and its position: one row for each account. The account of one with the part
 * `stored` may be erased since
 * @param lineOf joins the line of a process as `line`
 */
const sumStatement = (
  name: string,
  position: readonly string[],
  process: string,
  lineOf: (process: string) => string,
): Statement => ({
  name,
  text: `
    WITH process AS MATERIALIZED (${process}
    ), last AS MATERIALIZED (
      SELECT ${position.join(', ')} FROM process ORDER BY ${position.map((column) => `${column} DESC`).join(', ')} LIMIT 1
    ), found AS MATERIALIZED (
      SELECT id, process_id, erased_at FROM account
      WHERE process_id = ANY (ARRAY(SELECT id FROM process WHERE part = 'stored'))
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
      UNION ALL ${sumOfLines('process.part')}
      FROM process ${lineOf('process.id')}
      WHERE process.part <> 'stored' GROUP BY process.part
    )
    SELECT ${position.map((column) => `last.${column}`).join(', ')}, part.part, part.count, part.missing_documents,
      ${jsonOf((measure) => `part.${measure}`)} AS totals
    FROM last CROSS JOIN part`,
});

/** True if another submission, or a request by itself, has corrected the account of a process since its import. */
const isCorrectedByOthers = `EXISTS (
        SELECT FROM import_process_correction correction
        WHERE correction.process_id = import_process.id AND correction.status = 'SUCCEEDED' AND NOT correction.is_dry_run
          AND correction.submission_id IS DISTINCT FROM $1 AND correction.created_at > import_process.account_created_at
      )`;

const isTakenBack = `EXISTS (
        SELECT FROM import_process_event event
        WHERE event.process_id = import_process.id AND event.version = import_process.version AND event.attempt = 0
          AND event.event = 'TAKEN_BACK'
      )`;

const sumProcesses = sumStatement(
  'sum-submission-processes',
  ['id'],
  `
      SELECT id, CASE status WHEN 'PROCESSED' THEN CASE WHEN ${isCorrectedByOthers} THEN 'corrected' ELSE 'stored' END
        WHEN 'CANCELLED' THEN CASE WHEN ${isTakenBack} THEN 'TAKEN_BACK' ELSE status END ELSE status END AS part
      FROM import_process
      -- As rows, so that only the index with this order is read.
      WHERE submission_id = $1 AND (status, id) > ($2::text, $3::bigint) AND (status, id) <= ($2::text, ${MAX_ID})
      ORDER BY status, id LIMIT $4`,
  (process) => `LEFT JOIN LATERAL (
        SELECT 1 AS accounts, ${LINE_MEASURES.join(', ')} FROM submission_line WHERE process_id = ${process} OFFSET 0
      ) line ON true`,
);

const sumImported = sumStatement(
  'sum-imported-submission-lines',
  ['upload_number', 'line'],
  `
      SELECT sent.*, sent.imported_process_id AS id, CASE
        WHEN correction.status = 'PENDING' THEN 'pending'
        WHEN correction.status IN ('ERRORED', 'CANCELLED') THEN 'failed'
        WHEN correction.is_dry_run THEN 'rehearsed'
        WHEN process.status <> 'PROCESSED' THEN 'gone'
        WHEN process.payload_digest <> sent.payload_digest THEN 'corrected'
        ELSE 'stored' END AS part
      FROM (
        SELECT * FROM submission_line
        WHERE submission_id = $1 AND outcome = $2 AND (upload_number, line) > ($3::integer, $4::integer)
        ORDER BY upload_number, line LIMIT $5
      ) sent CROSS JOIN LATERAL (
        SELECT status, payload_digest FROM import_process WHERE import_process.id = sent.imported_process_id OFFSET 0
      ) process LEFT JOIN LATERAL (
        SELECT status, is_dry_run FROM (
          SELECT * FROM import_process_correction
          WHERE sent.outcome = 'correction' AND process_id = sent.imported_process_id OFFSET 0
        ) own WHERE submission_id = $1
      ) correction ON true`,
  (process) => `LEFT JOIN (
        SELECT id AS line_id, 1 AS accounts, ${LINE_MEASURES.join(', ')} FROM process
      ) line ON line.line_id = ${process}`,
);

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
      await executor.manager.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(executor);
    });
  }

  /** Sums the lines of a submission, without those that repeat an account of another line. @param size lines of a sum */
  async *sumLines(executor: Executor, submissionId: string, size = CHUNK_ROWS): AsyncGenerator<LineSums> {
    type Row = LinePosition & { isRefused: boolean | null; totals: TotalsRow | null };
    for (let { uploadNumber, line } = BEFORE_ALL; ;) {
      const rows = await executor.run<Row>(sumLines, [submissionId, uploadNumber, line, size]);
      for (const { isRefused, totals } of rows)
        yield { isRefused: isRefused === true, totals: totals ? toTotals(totals) : noTotals(MEASURES) };
      if (!rows[0]) return;
      ({ uploadNumber, line } = rows[0]);
    }
  }

  /** Sums the processes of a submission that have a status. @param size processes of a sum */
  async *sumProcesses(
    executor: Executor,
    submissionId: string,
    status: ImportProcessStatus,
    size = CHUNK_ROWS,
  ): AsyncGenerator<ProcessSums> {
    for (let after = '0'; ;) {
      const rows = await executor.run<SumsRow<ProcessPart> & { id: string }>(sumProcesses, [
        submissionId,
        status,
        after,
        size,
      ]);
      yield* rows.map(toSums);
      if (!rows[0]) return;
      after = rows[0].id;
    }
  }

  /**
   * Sums the lines of a submission that have an outcome, whose accounts were imported before.
   *
   * @param size lines of a sum
   */
  async *sumImported(
    executor: Executor,
    submissionId: string,
    outcome: 'unchanged' | 'correction',
    size = CHUNK_ROWS,
  ): AsyncGenerator<ImportedSums> {
    for (let { uploadNumber, line } = BEFORE_ALL; ;) {
      const rows = await executor.run<SumsRow<ImportedPart> & LinePosition>(sumImported, [
        submissionId,
        outcome,
        uploadNumber,
        line,
        size,
      ]);
      yield* rows.map(toSums);
      if (!rows[0]) return;
      ({ uploadNumber, line } = rows[0]);
    }
  }
}

interface SumsRow<Part> {
  part: Part;
  count: string;
  missingDocuments: string;
  totals: TotalsRow;
}

function toSums<Part>({ part, count, missingDocuments, totals }: SumsRow<Part>) {
  return {
    part,
    count: Number(count),
    missingDocuments: Number(missingDocuments),
    totals: toTotals(totals),
  };
}

/** Digits before the decimal point of a sum of balances. */
const SUM_DIGITS = 30;

function toTotals(row: TotalsRow): MeasureTotals {
  const totals = MEASURES.map((measure) => {
    if (!isAmount(measure)) return [measure, BigInt(row[measure])];
    const amount = parseMoney(row[measure], SUM_DIGITS);
    if (amount === undefined) throw new Error('A sum of balances is not an amount.');
    return [measure, amount];
  });
  return Object.fromEntries(totals) as MeasureTotals;
}
