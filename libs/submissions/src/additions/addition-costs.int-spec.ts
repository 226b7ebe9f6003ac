import { SessionDatabase, useCountingExecutor } from '@portage/testing/application';
import type { Executor } from '@portage/platform';
import { type NewAddition, SubmissionAdditionRepository } from './submission-addition.repository';

/** Additions of other submissions. */
const STORED = 20_000;

/** Lines of the batch. */
const BATCH = 10;

/** Pages that a statement may read for one line: a few levels of the indexes of the table. */
const MAX_PAGES_PER_LINE = 10;

const SUBMISSION = '1';

/** A session whose transactions are those of the statements. */
class OneSession extends SessionDatabase {
  constructor(private readonly session: Executor) {
    super(session);
  }

  override async transaction<Result>(work: (executor: never) => Promise<Result>): Promise<Result> {
    return work(this.session as never);
  }
}

describe('the cost of the statements about a few additions, planned while none were stored', () => {
  const executor = useCountingExecutor('Own', 'Other');
  const additions = new SubmissionAdditionRepository(new OneSession(executor));
  const cheap = async <Result>(work: Promise<Result>) => executor.within(BATCH * MAX_PAGES_PER_LINE, work);

  const store = async (first: number) =>
    additions.store(
      { submissionId: SUBMISSION, number: 1 },
      Array.from({ length: BATCH }, (_, index): NewAddition => ({
        line: first + index,
        shard: 0,
        kind: 'notes',
        externalAccountNumber: `N-${first + index}`,
        digest: Buffer.from(`own ${first + index}`),
        input: '[]',
        measures: { lines: 1, notes: 1 },
        errors: null,
      })),
      0,
    );
  const take = async () => additions.take(executor, SUBMISSION, 0, { lines: BATCH, characters: 1_000_000 });
  const end = async (ids: readonly string[]) =>
    additions.end(
      executor,
      ids.map((id) => ({ id, status: 'PROCESSED', result: null, errors: null })),
    );

  beforeAll(async () => {
    const { client } = executor;
    await client.query(`
      INSERT INTO submission (supplier_id, reference, kind, request_hash, expected, is_dry_run, actor)
      SELECT supplier, name, 'additions', '', '{}', false, ''
      FROM (VALUES (1, 'own'), (1, 'other'), (2, 'foreign')) AS s (supplier, name);
      INSERT INTO submission_upload (submission_id, number, actor) SELECT id, 1, '' FROM submission;`);
    await store(1);
    await end((await take()).map(({ id }) => id));
    await client.query(`
      INSERT INTO submission_addition (submission_id, upload_number, line, supplier_id, shard, kind,
        external_account_number, digest, status, input, size, measures, due_at)
      SELECT submission.id, 1, made.id, supplier_id, 0, 'notes', 'O-' || made.id, sha256(made.id::text::bytea), 'PENDING',
        '[]', 2, '{"lines": 1}', now() + interval '1 hour'
      FROM generate_series(1, ${STORED}) AS made (id) JOIN submission ON submission.id = 2 + made.id % 2;`);
  });

  it('is small when lines are stored, taken and ended', async () => {
    await cheap(store(101));
    const taken = await cheap(take());
    expect(taken.map(({ externalAccountNumber }) => externalAccountNumber)).toContain('N-101');
    await cheap(end(taken.map(({ id }) => id)));
  });
});
