import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit trail: an append-only table, and an actor on the events of processes. */
export class Audit1795306000000 implements MigrationInterface {
  readonly name = 'Audit1795306000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        -- Codes and numbers rather than ids: an entry is readable without the rows that it refers to.
        supplier text,
        subject text,
        details jsonb NOT NULL DEFAULT '{}'
      );
      CREATE INDEX audit_entry_newest ON audit_entry (occurred_at, id);

      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The table % is only ever added to.', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_entry_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      -- ALWAYS: it also fires in replica sessions, which skip ordinary triggers.
      ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_kept;

      -- Null for events of workers.
      ALTER TABLE import_process_event ADD actor text;
      -- The event records who scheduled an account. An audit entry as well would double the cost.
      CREATE INDEX import_process_event_scheduled ON import_process_event (occurred_at, process_id, version)
        WHERE event = 'SCHEDULED' AND actor IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX import_process_event_scheduled;
      ALTER TABLE import_process_event DROP actor;
      DROP TABLE audit_entry;
      DROP FUNCTION refuse_change();
    `);
  }
}
