import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEASURES = [
  'customers',
  'supply_points',
  'statements',
  'transactions',
  'opening_balance',
  'payment_instructions',
  'debts',
  'readings',
  'statement_total',
  'opening_debits',
  'opening_credits',
  'documents',
];
const COLUMNS = [...MEASURES, 'measured'];
const SUMS = COLUMNS.map((column) => `sum(${column})`).join(', ');
const MINUS = COLUMNS.map((column) => `-coalesce(${column}, 0)`).join(', ');

/** Adds the difference between the refused lines, by the code, and what is counted: one statement, and so one snapshot. */
const recount = (code: string) => `
    INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, ${COLUMNS.join(', ')}, changed_at)
    SELECT supplier_id, 0, 'LINE_REFUSED', error_code, sum(count), ${SUMS}, '-infinity'
    FROM (
      SELECT (SELECT supplier_id FROM submission WHERE id = submission_id) AS supplier_id, ${code} AS error_code, 1 AS count,
        ${MEASURES.map((measure) => `coalesce(${measure}, 0) AS ${measure}`).join(', ')},
        (readings IS NOT NULL)::integer AS measured
      FROM submission_line WHERE outcome = 'refused'
      UNION ALL
      SELECT supplier_id, error_code, -count, ${MINUS} FROM import_count
      WHERE submission_id = 0 AND kind = 'LINE_REFUSED'
      UNION ALL
      SELECT supplier_id, error_code, -count, ${MINUS} FROM import_count_change WHERE kind = 'LINE_REFUSED'
    ) AS counted
    GROUP BY 1, 4 HAVING (sum(count), ${SUMS}) <> (0, ${COLUMNS.map(() => '0').join(', ')})`;

/** Refused lines that were counted without the code of their error. It locks nothing. */
export class CountRefusedLinesByCode1796700000012 implements MigrationInterface {
  readonly name = 'CountRefusedLinesByCode1796700000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(recount(`coalesce(errors -> 0 ->> 'code', '')`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(recount(`''`));
  }
}
