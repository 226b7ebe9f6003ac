import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refuses changes of an end of a submission that the feed has shown. Until then the maintenance completes or removes it. */
export class SubmissionEventKept1796200000000 implements MigrationInterface {
  readonly name = 'SubmissionEventKept1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER submission_event_kept BEFORE UPDATE OR DELETE ON submission_event
        FOR EACH ROW WHEN (OLD.transaction_id IS NOT NULL) EXECUTE FUNCTION refuse_change();
      -- ALWAYS: it also fires in replica sessions, which skip ordinary triggers.
      ALTER TABLE submission_event ENABLE ALWAYS TRIGGER submission_event_kept;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER submission_event_kept ON submission_event');
  }
}
