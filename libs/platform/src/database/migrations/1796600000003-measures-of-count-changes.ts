import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['measured', 'bigint'],
  ['readings', 'bigint'],
  ['statement_total', 'numeric'],
  ['opening_debits', 'numeric'],
  ['opening_credits', 'numeric'],
  ['documents', 'bigint'],
] as const;

/** The columns of the migration before, for changes of counts. A migration holds the lock of one table only. */
export class MeasuresOfCountChanges1796600000003 implements MigrationInterface {
  readonly name = 'MeasuresOfCountChanges1796600000003';

  async up(runner: QueryRunner): Promise<void> {
    const added = COLUMNS.map(([column, type]) => `ADD ${column} ${type}`);
    await runner.query(`ALTER TABLE import_count_change ${added.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE import_count_change ${COLUMNS.map(([column]) => `DROP ${column}`).join(', ')}`,
    );
  }
}
