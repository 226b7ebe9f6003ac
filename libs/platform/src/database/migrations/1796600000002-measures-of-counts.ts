import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['measured', 'bigint'],
  ['readings', 'bigint'],
  ['statement_total', 'numeric'],
  ['opening_debits', 'numeric'],
  ['opening_credits', 'numeric'],
  ['documents', 'bigint'],
] as const;

/** The sums of readings, of statements, of debits and credits, and of documents, and how many lines have them. */
export class MeasuresOfCounts1796600000002 implements MigrationInterface {
  readonly name = 'MeasuresOfCounts1796600000002';

  async up(runner: QueryRunner): Promise<void> {
    const added = COLUMNS.map(([column, type]) => `ADD ${column} ${type} NOT NULL DEFAULT '0'`);
    await runner.query(`ALTER TABLE import_count ${added.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE import_count ${COLUMNS.map(([column]) => `DROP ${column}`).join(', ')}`);
  }
}
