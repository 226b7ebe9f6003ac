import { Database, type Executor } from '@portage/platform';
import { countRowsRead, useApplication } from '@portage/testing/application';
import { INSTRUCTIONS_SHARD } from './read-addition-line';
import { SubmissionAdditionRepository } from './submission-addition.repository';

const STORED = 5_000;
const SUBMISSION = '1';

/** Instructions that are with their vendor, and others whose next attempt is not due. */
const SENT = 10;

describe('the payment instructions of a submission that has thousands', () => {
  const test = useApplication('postgres');

  beforeAll(async () => {
    await test.sql(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor, kind)
      SELECT id, 'book', '', '{}', false, '', 'additions' FROM import_supplier;
      INSERT INTO submission_upload (submission_id, number, actor) VALUES (${SUBMISSION}, 1, '');
      INSERT INTO submission_addition (submission_id, upload_number, line, supplier_id, shard, kind,
        external_account_number, digest, status, input, size, measures, request_id, attempt, due_at)
      SELECT ${SUBMISSION}, 1, n, (SELECT id FROM import_supplier), ${INSTRUCTIONS_SHARD}, 'payment_instruction', 'N-' || n,
        sha256(n::text::bytea), CASE WHEN n <= ${SENT} THEN 'IN_PROGRESS' ELSE 'PENDING' END, '{}', 2, '{}',
        CASE WHEN n <= ${SENT} THEN n END, CASE WHEN n <= ${2 * SENT} THEN 1 ELSE 0 END,
        now() + CASE WHEN n <= ${2 * SENT} THEN interval '1 minute' ELSE interval '0' END
      FROM generate_series(1, ${STORED}) AS n`);
  });

  const costOf = async (
    work: (additions: SubmissionAdditionRepository, executor: Executor) => Promise<unknown>,
  ) =>
    test.app
      .get(Database)
      .transaction(async (executor) =>
        countRowsRead(executor, 'submission_addition', async () =>
          work(test.app.get(SubmissionAdditionRepository), executor),
        ),
      );

  it.each(['before', 'after'])(
    'are started at the cost of those that were sent, %s an ANALYZE',
    async (when) => {
      if (when === 'after') await test.sql('ANALYZE submission_addition');
      let found: string[] = [];
      const inProgress = await costOf(async (additions, executor) => {
        found = await additions.inProgress(executor, SUBMISSION);
      });
      expect(found).toHaveLength(SENT);
      expect(inProgress).toBeLessThan(2 * SENT);
      const waiting = await costOf(async (additions, executor) => {
        found = await additions.waitingForRetry(executor, SUBMISSION, [
          `N-${SENT}`,
          `N-${SENT + 1}`,
          `N-${STORED}`,
        ]);
      });
      expect(found).toEqual([`N-${SENT + 1}`]);
      expect(waiting).toBeLessThan(2 * SENT);
      const taken = await costOf(async (additions, executor) =>
        additions.take(executor, SUBMISSION, INSTRUCTIONS_SHARD, { lines: SENT, characters: 1_000 }),
      );
      expect(taken).toBeLessThan(10 * SENT);
    },
  );
});
