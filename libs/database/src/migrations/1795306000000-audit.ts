import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what, and when: a table that is only ever added to, and an actor on the events of processes. */
export class Audit1795306000000 implements MigrationInterface {
  readonly name = 'Audit1795306000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        -- Codes and numbers rather than ids: an entry is understood without the rows that it is about.
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
      -- Also in sessions that say they replicate, which skip other triggers.
      ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_kept;

      -- Null where nobody in particular did it: what workers do.
      ALTER TABLE import_process_event ADD actor text;
      -- Scheduling is on record by its event: a second row for each account would be a second cost.
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
