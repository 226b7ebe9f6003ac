import { CLOCK, type Clock, PortageError, Queues } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  scheduleAccount,
  StoredProcesses,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from '../processes/status';

// Without caches a change of the supplier takes effect at once.
const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);
let next = 0;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Posts a body. Returns `accepted` or the code of the error. */
async function post(body: Record<string, unknown>): Promise<string> {
  try {
    await scheduleAccount(test, test.caller, body);
    return 'accepted';
  } catch (error) {
    if (error instanceof PortageError) return error.code;
    throw error;
  }
}

async function stateOf(number: string) {
  const [row] = await stored.sql<{
    status: string;
    version: number;
    is_dry_run: boolean;
    nickname: string | null;
  }>(
    `SELECT status, version, is_dry_run, payload ->> 'nickname' AS nickname FROM import_process process
     JOIN import_process_payload ON process_id = process.id WHERE external_account_number = $1`,
    [number],
  );
  return row;
}

/** Posts an account and sets the status of its process. Returns the account number. */
async function inState(status: ImportProcessStatus, task_params: object = {}): Promise<string> {
  const number = `S-${next++}`;
  expect(await post({ payload: account(number), task_params })).toBe('accepted');
  await stored.sql(
    `UPDATE import_process SET status = $2,
       account_number = CASE WHEN $2 = 'PROCESSED' THEN 'A-' || lpad(to_hex(id), 8, '0') END,
       error_code = CASE WHEN $2 IN ('ERRORED', 'DRY_RUN_ERRORED') THEN 'error' END
     WHERE external_account_number = $1`,
    [number, status],
  );
  return number;
}

/** The datetime in `hours` hours, in the format of requests. */
const inHours = (hours: number) =>
  new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');

const IN_PROGRESS = 'import_process_in_progress';
const IMPORTED = 'account_import_process_already_imported';

/** For each status of the process: the answer when the account is posted again, and the status and version after it. */
type Outcomes = Record<
  ImportProcessStatus,
  [answer: string, statusAfter: ImportProcessStatus, version: number]
>;

const ENDED: Omit<Outcomes, 'PENDING' | 'IN_PROGRESS'> = {
  ERRORED: ['accepted', 'PENDING', 2],
  DRY_RUN_ERRORED: ['accepted', 'PENDING', 2],
  DRY_RUN_SUCCEEDED: ['accepted', 'PENDING', 2],
  CANCELLED: ['accepted', 'PENDING', 2],
  PROCESSED: [IMPORTED, 'PROCESSED', 1],
};
const UNCHANGED: Outcomes = {
  ...ENDED,
  PENDING: ['accepted', 'PENDING', 1],
  IN_PROGRESS: ['accepted', 'IN_PROGRESS', 1],
};
const CHANGED: Outcomes = {
  ...ENDED,
  PENDING: ['accepted', 'PENDING', 2],
  IN_PROGRESS: [IN_PROGRESS, 'IN_PROGRESS', 1],
};

describe('posting an account again', () => {
  const variants: [string, Outcomes, (number: string) => Record<string, unknown>][] = [
    ['unchanged', UNCHANGED, (number) => account(number)],
    ['unchanged, wrapped', UNCHANGED, (number) => ({ payload: account(number) })],
    ['with another payload', CHANGED, (number) => account(number, { nickname: 'changed' })],
    ['as a dry run', CHANGED, (number) => ({ payload: account(number), task_params: { is_dry_run: true } })],
    [
      'with a schedule window that opens later',
      CHANGED,
      (number) => ({ payload: account(number), task_params: { schedule_window_start: inHours(1) } }),
    ],
    [
      'with a schedule window that closes earlier',
      CHANGED,
      (number) => ({ payload: account(number), task_params: { schedule_window_end: inHours(1) } }),
    ],
  ];
  const cases = variants.flatMap(([how, outcomes, body]) =>
    IMPORT_PROCESS_STATUSES.map((from) => [how, from, ...outcomes[from], body] as const),
  );

  it.each(cases)(
    '%s, while its process is %s: %s, then %s in version %i',
    async (_how, from, answer, statusAfter, version, body) => {
      const number = await inState(from);
      const before = await stateOf(number);
      expect(await post(body(number))).toBe(answer);
      const after = (await stateOf(number))!;
      expect(after).toMatchObject({ status: statusAfter, version });
      // A request without a new version stores nothing.
      if (version === 1) expect(after).toEqual(before);
      else expect(after.nickname).toBe(body(number)['nickname'] ?? null);
    },
  );

  it.each([
    ['PENDING', 'accepted', 1],
    ['IN_PROGRESS', 'accepted', 1],
    ['ERRORED', 'schedule_window_start_in_past', 1],
    ['CANCELLED', 'schedule_window_start_in_past', 1],
  ] as const)(
    'an account whose schedule window has opened, and whose process is %s: %s',
    async (status, answer, version) => {
      const task_params = { schedule_window_start: inHours(1) };
      const number = await inState(status, task_params);
      jest.spyOn(test.app.get<Clock>(CLOCK), 'now').mockReturnValue(new Date(inHours(2)));
      expect(await post({ payload: account(number), task_params })).toBe(answer);
      expect(await stateOf(number)).toMatchObject({ status, version });
      const changed = { payload: account(number, { nickname: 'changed' }), task_params };
      expect(await post(changed)).toBe('schedule_window_start_in_past');
    },
  );

  it('a repeat without task_params keeps its window and dry run, and explicit ones change what they set', async () => {
    const [start, later] = [inHours(1), inHours(2)];
    const number = await inState('PENDING', { is_dry_run: true, schedule_window_start: start });
    const parameters = async () => {
      const [row] = await stored.sql<{ start: string | null }>(
        `SELECT version, is_dry_run, schedule_window_start AS start FROM import_process
         WHERE external_account_number = $1`,
        [number],
      );
      return { ...row, start: row!.start && new Date(row!.start) };
    };
    const changed = account(number, { nickname: 'changed' });
    for (const [body, expected] of [
      [
        { payload: account(number), task_params: {} },
        { version: 1, is_dry_run: true, start: new Date(start) },
      ],
      [changed, { version: 2, is_dry_run: true, start: new Date(start) }],
      [
        { payload: changed, task_params: { is_dry_run: false } },
        { version: 3, is_dry_run: false, start: new Date(start) },
      ],
      [
        { payload: changed, task_params: { schedule_window_start: later } },
        { version: 4, is_dry_run: false, start: new Date(later) },
      ],
      [
        { payload: changed, task_params: { schedule_window_start: null } },
        { version: 5, is_dry_run: false, start: null },
      ],
    ] as const) {
      expect(await post(body)).toBe('accepted');
      expect(await parameters()).toEqual(expected);
    }
  });

  it('one of several concurrent changes is stored completely', async () => {
    const number = await inState('CANCELLED');
    const names = Array.from({ length: 10 }, (_, place) => `n${place}`);
    const answers = await Promise.all(names.map(async (nickname) => post(account(number, { nickname }))));
    expect(new Set(answers)).toEqual(new Set(['accepted']));
    const state = (await stateOf(number))!;
    expect([state.status, state.version]).toEqual(['PENDING', 11]);
    expect(names).toContain(state.nickname);
  });

  it('revokes the release, so that the new version needs a new dry run', async () => {
    const number = await inState('ERRORED');
    await stored.sql('UPDATE import_process SET is_released = true WHERE external_account_number = $1', [
      number,
    ]);
    expect(await post(account(number))).toBe('accepted');
    const [row] = await stored.sql(
      'SELECT is_released FROM import_process WHERE external_account_number = $1',
      [number],
    );
    expect(row).toEqual({ is_released: false });
  });
});

describe('the external identifier of another account', () => {
  const TAKEN = 'external_identifier_already_exists';
  const withIdentifier = (number: string, external_identifier: string) =>
    account(number, { external_identifier });

  it('is refused, also to one of two concurrent requests', async () => {
    const [one, other] = [await inState('CANCELLED'), await inState('CANCELLED')];
    const answers = await Promise.all([
      post(withIdentifier(one, 'shared')),
      post(withIdentifier(other, 'shared')),
    ]);
    expect(answers.sort()).toEqual(['accepted', TAKEN]);
  });

  it.each(IMPORT_PROCESS_STATUSES)('is refused to a new account while that one is %s', async (status) => {
    const holder = await inState(status);
    expect(await post(withIdentifier(`S-${next++}`, holder))).toBe(TAKEN);
    expect(await post(account(holder))).not.toBe(TAKEN);
  });

  it('is free once that account has been posted with another one', async () => {
    const [one, other] = [await inState('ERRORED'), await inState('PENDING')];
    // Two accounts that swap identifiers need a temporary third one.
    expect(await post(withIdentifier(one, other))).toBe(TAKEN);
    expect(await post(withIdentifier(other, one))).toBe(TAKEN);
    expect(await post(withIdentifier(one, `${one} for a moment`))).toBe('accepted');
    expect(await post(withIdentifier(other, one))).toBe('accepted');
    expect(await post(withIdentifier(one, other))).toBe('accepted');
    const rows = await stored.sql(
      `SELECT external_account_number AS number, external_identifier AS identifier FROM import_process
       WHERE external_account_number = ANY($1) ORDER BY id`,
      [[one, other]],
    );
    expect(rows).toEqual([
      { number: one, identifier: other },
      { number: other, identifier: one },
    ]);
  });

  it('cannot be swapped by concurrent requests, and causes no deadlock', async () => {
    const [one, other] = [await inState('ERRORED'), await inState('ERRORED')];
    const answers = await Promise.all([post(withIdentifier(one, other)), post(withIdentifier(other, one))]);
    expect(answers).toEqual([TAKEN, TAKEN]);
  });
});

describe('a supplier whose migration is closed', () => {
  afterEach(async () => {
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
  });

  const cases = (['Paused', 'Complete'] as const).flatMap((supplier) =>
    IMPORT_PROCESS_STATUSES.map((status) => [supplier, status] as const),
  );
  it.each(cases)('refuses an account while %s, also if its process is %s', async (supplier, status) => {
    const number = await inState(status);
    await test.app.get(ImportSuppliers).setStatus('LEGACY', supplier);
    const before = await stateOf(number);
    for (const more of [{}, { nickname: 'changed' }])
      expect(await post(account(number, more))).toBe('import_supplier_migration_not_ongoing');
    expect(await stateOf(number)).toEqual(before);
  });

  it.each(['Paused', 'Complete'])(
    'refuses a new account while %s, as an error of the process',
    async (supplier) => {
      await test.app.get(ImportSuppliers).setStatus('LEGACY', supplier);
      const number = `S-${next++}`;
      const refused = scheduleAccount(test, test.caller, account(number));
      await expect(refused).rejects.toMatchObject({
        code: 'import_supplier_migration_not_ongoing',
        members: { domain: 'import_process' },
      });
      expect(await stateOf(number)).toBeUndefined();
      await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
      expect(await post(account(number))).toBe('accepted');
    },
  );
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
  ])(
    'a request with task_params of %s is refused, and nothing is stored',
    async (_what, task_params, code) => {
      const number = `S-${next++}`;
      expect(await post({ payload: account(number), task_params })).toBe(code);
      expect(await stateOf(number)).toBeUndefined();
    },
  );

  it('adds no job while its window is yet to open', async () => {
    const queue = test.app.get(Queues).get('account-imports');
    const start = inHours(1);
    const number = `S-${next++}`;
    const body = { payload: account(number), task_params: { schedule_window_start: start } };
    const before = await queue.getJobCounts('waiting', 'prioritized', 'delayed');
    expect([await post(body), await post(body)]).toEqual(['accepted', 'accepted']);
    expect(await queue.getJobCounts('waiting', 'prioritized', 'delayed')).toEqual(before);
  });

  it('converts a numeric account number to its decimal text', async () => {
    expect(await post(account(undefined, { external_account_number: 4711 }))).toBe('accepted');
    expect(await stateOf('4711')).toMatchObject({ status: 'PENDING' });
  });
});
