import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uses of each rate limit, counted by all instances together. */
export class RateLimits1795305780000 implements MigrationInterface {
  readonly name = 'RateLimits1795305780000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Unlogged: counting does not wait for the disk, and a crash of the server may reset the counts.
      CREATE UNLOGGED TABLE rate_limit (
        key text PRIMARY KEY,
        count integer NOT NULL,
        until timestamptz NOT NULL
      );
      CREATE INDEX rate_limit_until ON rate_limit (until);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limit');
  }
}
