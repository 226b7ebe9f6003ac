import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countLines } from './count-lines';

const FIRST_MEASURES = [
  'customers',
  'supply_points',
  'statements',
  'transactions',
  'opening_balance',
  'payment_instructions',
  'debts',
];
const LATER_MEASURES = ['readings', 'statement_total', 'opening_debits', 'opening_credits', 'documents'];

/**
 * More measures of lines. They are null for lines of release 1.0.0, whose payloads may have been erased: such a line is
 * not among the `measured` ones.
 */
export class MeasuresOfLines1796600000004 implements MigrationInterface {
  readonly name = 'MeasuresOfLines1796600000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ALTER TABLE submission_line ADD readings integer, ADD statement_total numeric(20), ADD opening_debits numeric(20, 2),
      ADD opening_credits numeric(20, 2), ADD documents integer;
    ${countLines([...FIRST_MEASURES, ...LATER_MEASURES], ` WHERE outcome IS DISTINCT FROM 'repeated'`, '(readings IS NOT NULL)::integer')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ${countLines(FIRST_MEASURES, ` WHERE outcome IS DISTINCT FROM 'repeated'`)}
    ALTER TABLE submission_line ${LATER_MEASURES.map((measure) => `DROP ${measure}`).join(', ')};
    `);
  }
}
