import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The accounts whose documents and e-mail have come to their end, see {@link ImportCounts1796400000000}. */
export class CountFollowUps1796400000002 implements MigrationInterface {
  readonly name = 'CountFollowUps1796400000002';

  async up(runner: QueryRunner): Promise<void> {
    // One row at a time: these events are recorded one by one, and the condition costs all others next to nothing.
    await runner.query(`
    CREATE FUNCTION count_follow_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
      VALUES (NEW.supplier_id, coalesce(NEW.submission_id, 0), 'FOLLOWED_UP', 1);
      RETURN NULL;
    END $$;
    CREATE TRIGGER import_process_event_follow_up_count AFTER INSERT ON import_process_event FOR EACH ROW
      WHEN (NEW.event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED')) EXECUTE FUNCTION count_follow_up();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    DROP TRIGGER import_process_event_follow_up_count ON import_process_event;
    DROP FUNCTION count_follow_up;
    `);
  }
}
