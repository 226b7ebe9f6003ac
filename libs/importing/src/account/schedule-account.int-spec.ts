import { PortageError } from '@portage/domain';
import { QueueBackend } from '@portage/queues';
import { DataSource } from 'typeorm';
import { startApplication, type TestApplication } from '../../../../test/support/application';
import { account } from '../../../../test/support/portage';
import { ScheduleAccount } from './schedule-account';

let test: TestApplication;
let next = 0;

beforeAll(async () => {
  test = await startApplication();
});
afterAll(async () => {
  await test.app.close();
});

async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return test.app.get(DataSource).query<Row[]>(text, values);
}

/** Posts a body, and answers `accepted` or the code it is refused with. */
async function post(body: Record<string, unknown>): Promise<string> {
  try {
    await test.app.get(ScheduleAccount).schedule(test.organisationId, body);
    return 'accepted';
  } catch (error) {
    if (error instanceof PortageError) return error.code;
    throw error;
  }
}

async function stateOf(number: string) {
  const [row] = await sql<{ status: string; version: number; is_dry_run: boolean; nickname: string | null }>(
    `SELECT status, version, is_dry_run, payload ->> 'nickname' AS nickname FROM import_process process
     JOIN import_process_payload ON process_id = process.id WHERE external_account_number = $1`,
    [number],
  );
  return row;
}

/** A process that was posted once and is in this state now. */
async function inState(status: string): Promise<string> {
  const number = `S-${next++}`;
  expect(await post(account(number))).toBe('accepted');
  await sql(
    `UPDATE import_process SET status = $2,
       account_number = CASE WHEN $2 = 'PROCESSED' THEN 'A-' || lpad(to_hex(id), 8, '0') END,
       error_code = CASE WHEN $2 IN ('ERRORED', 'DRY_RUN_ERRORED') THEN 'error' END
     WHERE external_account_number = $1`,
    [number, status],
  );
  return number;
}

const IN_PROGRESS = 'import_process_in_progress';
const IMPORTED = 'account_import_process_already_imported';

describe('posting an account again', () => {
  it.each([
    ['PENDING', 'accepted', 'PENDING', 1],
    ['IN_PROGRESS', 'accepted', 'IN_PROGRESS', 1],
    ['ERRORED', 'accepted', 'PENDING', 2],
    ['DRY_RUN_ERRORED', 'accepted', 'PENDING', 2],
    ['DRY_RUN_SUCCEEDED', 'accepted', 'PENDING', 2],
    ['CANCELLED', 'accepted', 'PENDING', 2],
    ['PROCESSED', IMPORTED, 'PROCESSED', 1],
  ])('unchanged, while it is %s: %s, and it is %s in version %i', async (status, answer, then, version) => {
    const number = await inState(status);
    expect(await post(account(number))).toBe(answer);
    expect(await stateOf(number)).toMatchObject({ status: then, version, nickname: null });
  });

  it.each([
    ['PENDING', 'accepted', 'PENDING', 2],
    ['IN_PROGRESS', IN_PROGRESS, 'IN_PROGRESS', 1],
    ['ERRORED', 'accepted', 'PENDING', 2],
    ['DRY_RUN_ERRORED', 'accepted', 'PENDING', 2],
    ['DRY_RUN_SUCCEEDED', 'accepted', 'PENDING', 2],
    ['CANCELLED', 'accepted', 'PENDING', 2],
    ['PROCESSED', IMPORTED, 'PROCESSED', 1],
  ])('changed, while it is %s: %s, and it is %s in version %i', async (status, answer, then, version) => {
    const number = await inState(status);
    expect(await post(account(number, { nickname: 'changed' }))).toBe(answer);
    expect(await stateOf(number)).toMatchObject({
      status: then,
      version,
      nickname: answer === 'accepted' ? 'changed' : null,
    });
  });

  it('for real what was a dry run before, and the other way round, is a change', async () => {
    const number = await inState('PENDING');
    const payload = account(number);
    expect(await post({ payload, task_params: { is_dry_run: true } })).toBe('accepted');
    expect(await stateOf(number)).toMatchObject({ version: 2, is_dry_run: true });
    expect(await post({ payload, task_params: { is_dry_run: true } })).toBe('accepted');
    expect(await stateOf(number)).toMatchObject({ version: 2 });
    expect(await post({ payload })).toBe('accepted');
    expect(await stateOf(number)).toMatchObject({ version: 3, is_dry_run: false });
  });

  it('in two versions at once leaves one of them, whole', async () => {
    const number = await inState('CANCELLED');
    const names = Array.from({ length: 10 }, (_, place) => `n${place}`);
    const answers = await Promise.all(names.map(async (nickname) => post(account(number, { nickname }))));
    expect(new Set(answers)).toEqual(new Set(['accepted']));
    const state = (await stateOf(number))!;
    expect([state.status, state.version]).toEqual(['PENDING', 11]);
    expect(names).toContain(state.nickname);
  });

  it('with the identifier of another account is refused, also when both want it at once', async () => {
    const [one, other] = [await inState('CANCELLED'), await inState('CANCELLED')];
    const wanted = { external_identifier: 'wanted by both' };
    const answers = await Promise.all([post(account(one, wanted)), post(account(other, wanted))]);
    expect(answers.sort()).toEqual(['accepted', 'external_identifier_already_exists']);
  });
});

describe('scheduling', () => {
  it.each([
    ['is_dry_run that is a text', { is_dry_run: 'true' }, 'import_process_failed_validation'],
    ['is_dry_run that is a number', { is_dry_run: 1 }, 'import_process_failed_validation'],
    [
      'a start in the past',
      { schedule_window_start: '2020-01-01T00:00:00Z' },
      'schedule_window_start_in_past',
    ],
    [
      'an end that is too far ahead',
      { schedule_window_end: '2099-01-01T00:00:00Z' },
      'schedule_window_end_too_far_in_future',
    ],
    [
      'an end that has passed',
      { schedule_window_end: '2020-01-01T00:00:00Z' },
      'schedule_window_start__after_end',
    ],
    ['a start that is no datetime', { schedule_window_start: 'soon' }, 'import_process_failed_validation'],
    ['a list', [{ is_dry_run: true }], 'import_process_failed_validation'],
    ['a text', 'is_dry_run', 'import_process_failed_validation'],
  ])('with task_params of %s is refused, and nothing is stored', async (_what, task_params, code) => {
    const number = `S-${next++}`;
    expect(await post({ payload: account(number), task_params })).toBe(code);
    expect(await stateOf(number)).toBeUndefined();
  });

  it('adds a job that waits for the window, and none for a repetition', async () => {
    const queue = test.app.get(QueueBackend).queue('account-imports');
    const start = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const number = `S-${next++}`;
    const body = { payload: account(number), task_params: { schedule_window_start: start } };
    const before = await queue.getJobCounts('waiting', 'delayed');
    expect([await post(body), await post(body)]).toEqual(['accepted', 'accepted']);
    const after = await queue.getJobCounts('waiting', 'delayed');
    expect(after).toEqual({ waiting: before['waiting'], delayed: (before['delayed'] ?? 0) + 1 });
  });

  it('reads a number where text is expected, and finds the process by its decimal text', async () => {
    expect(await post(account(undefined, { external_account_number: 4711 }))).toBe('accepted');
    expect(await stateOf('4711')).toMatchObject({ status: 'PENDING' });
  });
});
