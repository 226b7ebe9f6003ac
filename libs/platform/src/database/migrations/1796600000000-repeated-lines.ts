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

/**
 * Lines that repeat the account of another line of their submission. They are stored for the results and not counted. The
 * key of a line without a process tells which account it is about, so that each account has at most one of them.
 */
export class RepeatedLines1796600000000 implements MigrationInterface {
  readonly name = 'RepeatedLines1796600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ALTER TABLE submission_line ADD payload_digest bytea,
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'repeated', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1
        CHECK (CASE WHEN refused_key IS NULL THEN coalesce(outcome, 'cancelled') = 'cancelled' ELSE outcome IS NOT NULL END)
        NOT VALID;
    ${countLines(FIRST_MEASURES, ` WHERE outcome IS DISTINCT FROM 'repeated'`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    DELETE FROM submission_line WHERE outcome = 'repeated';
    UPDATE submission_line SET refused_key = NULL WHERE outcome = 'cancelled' AND refused_key IS NOT NULL;
    `);
    await runner.query(`
    ${countLines(FIRST_MEASURES, '')}
    ALTER TABLE submission_line DROP payload_digest,
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1 CHECK ((outcome = 'refused') = (refused_key IS NOT NULL)) NOT VALID;
    `);
  }
}
