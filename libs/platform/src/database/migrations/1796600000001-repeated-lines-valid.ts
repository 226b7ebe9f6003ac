import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates the checks of {@link RepeatedLines1796600000000}, beside reads and writes. */
export class RepeatedLinesValid1796600000001 implements MigrationInterface {
  readonly name = 'RepeatedLinesValid1796600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE submission_line VALIDATE CONSTRAINT submission_line_outcome_check');
    await runner.query('ALTER TABLE submission_line VALIDATE CONSTRAINT submission_line_check1');
  }

  async down(): Promise<void> {
    // The checks are replaced by the migration before.
  }
}
