import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countLines } from './count-lines';

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
const IS_COUNTED = ` WHERE outcome IS DISTINCT FROM 'repeated'`;
const MEASURED = '(readings IS NOT NULL)::integer';

/**
 * Refused lines are counted by the code of their first error. The lock lets statements that have counted without it commit
 * first, so that {@link CountRefusedLinesByCode1796700000012} sees what they have written.
 */
export class RefusedLinesByCode1796700000011 implements MigrationInterface {
  readonly name = 'RefusedLinesByCode1796700000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    LOCK TABLE submission_line IN SHARE ROW EXCLUSIVE MODE;
    ${countLines(MEASURES, IS_COUNTED, MEASURED, `CASE outcome WHEN 'refused' THEN coalesce(errors -> 0 ->> 'code', '') ELSE '' END`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    LOCK TABLE submission_line IN SHARE ROW EXCLUSIVE MODE;
    ${countLines(MEASURES, IS_COUNTED, MEASURED)}
    `);
  }
}
