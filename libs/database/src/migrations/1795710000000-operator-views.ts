import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the pages of operators read: the rollup by minute, the counts of errors, and the workers that are alive. */
export class OperatorViews1795710000000 implements MigrationInterface {
  readonly name = 'OperatorViews1795710000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_process_minute (
        supplier_id integer NOT NULL REFERENCES import_supplier,
        minute timestamptz NOT NULL,
        accepted integer NOT NULL DEFAULT 0,
        processed integer NOT NULL DEFAULT 0,
        errored integer NOT NULL DEFAULT 0,
        cancelled integer NOT NULL DEFAULT 0,
        latency_ms double precision NOT NULL DEFAULT '0',
        latency_count integer NOT NULL DEFAULT 0,
        PRIMARY KEY (supplier_id, minute)
      );
      CREATE TABLE import_process_rollup (
        supplier_id integer PRIMARY KEY REFERENCES import_supplier,
        transaction_id bigint NOT NULL DEFAULT '0',
        total bigint,
        staged bigint NOT NULL DEFAULT '0',
        followed_up bigint NOT NULL DEFAULT '0'
      );
      -- The accounts of existing suppliers were accepted before the first minute.
      INSERT INTO import_process_rollup (supplier_id) SELECT id FROM import_supplier;
      CREATE TABLE import_process_error_count (
        supplier_id integer NOT NULL REFERENCES import_supplier,
        error_code text NOT NULL,
        count bigint NOT NULL,
        latest_process_id bigint NOT NULL,
        counted_at timestamptz NOT NULL,
        PRIMARY KEY (supplier_id, error_code)
      );
      CREATE TABLE worker_heartbeat (
        id uuid PRIMARY KEY,
        host text NOT NULL,
        release text NOT NULL,
        started_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(),
        report jsonb NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE worker_heartbeat;
      DROP TABLE import_process_error_count;
      DROP TABLE import_process_rollup;
      DROP TABLE import_process_minute;
    `);
  }
}
