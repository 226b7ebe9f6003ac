import { Database } from '@portage/platform';
import { AccountRemovalRepository } from '../accounts/account-removal.repository';
import {
  accountFor,
  type StoredProcess,
  StoredProcesses,
  type StoredRow,
  useApplication,
} from '@portage/testing/application';
import {
  IMPORT_PROCESS_STATUSES,
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessAction,
  transition,
} from './status';
import type { ImportProcessEvent } from './event';
import { steerableStatuses, type SteeringAction } from './steering';
import { AccountImportRepository, type StartedImport } from '../accounts/account-import.repository';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';
import { PendingProcessRepository } from './pending-process.repository';
import { ImportProcessStagingRepository } from './import-process-staging.repository';

const test = useApplication();
const processes = new StoredProcesses(test);
/** What a worker reads when it starts a process. */
let startedImport: StartedImport;

beforeAll(async () => {
  [startedImport] = (await imports().start([await processes.inState('PENDING')])) as [StartedImport];
});

interface Change {
  action: ImportProcessAction;
  event: ImportProcessEvent;
  /** Runs the statement for the latest attempt of the latest version of a process. */
  run: (process: StoredProcess, started: StartedImport) => Promise<unknown>;
  /** The expected columns of the row, apart from its status. */
  expected: Partial<StoredRow>;
  /** The statement requires a process whose schedule window was missed. */
  isWindowMissed?: true;
}

const imports = () => test.app.get(AccountImportRepository);
const staging = () => test.app.get(ImportProcessStagingRepository);
const pending = () => test.app.get(PendingProcessRepository);

/** Sends an account again, as the use cases do: a process whose state forbids it is left. */
const replace =
  (action: 'schedule' | 'stage', staging: 'WAITING' | null) =>
  async ({ number }: StoredProcess) => {
    const process = processes.scheduled(number, { staging });
    const [names] = await pending().findExisting([process]);
    const existing = names!.process!;
    if (transition(existing.status, action) === undefined) return;
    await pending().write([{ ...process, replaces: existing }]);
  };

const fail =
  (endStatus: 'ERRORED' | 'DRY_RUN_ERRORED') => async (_process: StoredProcess, started: StartedImport) =>
    imports().fail([{ started, endStatus, code: 'new', detail: 'New words.' }]);

const steeringOf = (action: SteeringAction): Steering => ({
  action,
  from: steerableStatuses(action, true),
  actor: 'operator:test',
});

const steer = (action: SteeringAction) => async (process: StoredProcess) =>
  test.app.get(ImportProcessSteeringRepository).steer(steeringOf(action), [process.processId]);

const rollBack = async ({ processId }: StoredProcess) => {
  const accounts = await processes.sql<{ id: string }>('SELECT id FROM account WHERE process_id = $1', [
    processId,
  ]);
  await test.app.get(Database).transaction(async (executor) =>
    test.app.get(AccountRemovalRepository).remove(
      executor,
      accounts.map(({ id }) => id),
      'ROLLED_BACK',
      'operator:test',
    ),
  );
};

const newVersion = { version: 2, attempt: 0, error_code: null, latest_event: 'CREATED', batch_id: null };

/** Every statement that changes a process, and the action that it performs. */
const CHANGES: Record<string, Change> = {
  replace: {
    action: 'schedule',
    event: 'SCHEDULED',
    run: replace('schedule', null),
    expected: { ...newVersion, is_released: false, staging: null },
  },
  stage: {
    action: 'stage',
    event: 'STAGED',
    run: replace('stage', 'WAITING'),
    expected: { ...newVersion, is_released: false, staging: 'WAITING' },
  },
  submit: {
    action: 'submit',
    event: 'SUBMITTED',
    run: async ({ processId }) =>
      test.app
        .get(Database)
        .transaction(async (executor) =>
          staging().submit(executor, processId, { isDryRun: false, actor: 'api-key:test' }),
        ),
    expected: { ...newVersion, is_released: true, staging: 'PROCESSING' },
  },
  retry: { action: 'retry', event: 'RETRIED', run: steer('retry'), expected: newVersion },
  release: {
    action: 'release',
    event: 'RELEASED',
    run: steer('release'),
    expected: { ...newVersion, is_released: true },
  },
  cancel: { action: 'cancel', event: 'CANCELLED', run: steer('cancel'), expected: newVersion },
  'cancel after a missed window': {
    action: 'miss-window',
    event: 'CANCELLED',
    run: async (process) => imports().cancelMissed([process]),
    expected: { version: 1, attempt: 0, error_code: null, latest_event: 'CREATED' },
    isWindowMissed: true,
  },
  start: {
    action: 'start',
    event: 'STARTED',
    run: async (process) => imports().start([process]),
    expected: { version: 1, latest_event: 'CREATED' },
  },
  create: {
    action: 'process',
    event: 'PROCESSED',
    run: async (process, started) => imports().create([{ started, account: accountFor(process) }]),
    expected: { version: 1, attempt: 1, error_code: null, latest_event: 'PROCESSED' },
  },
  fail: {
    action: 'error',
    event: 'ERRORED',
    run: fail('ERRORED'),
    expected: { version: 1, attempt: 1, error_code: 'new', latest_event: 'ERRORED' },
  },
  'fail a dry run': {
    action: 'error-dry-run',
    event: 'DRY_RUN_ERRORED',
    run: fail('DRY_RUN_ERRORED'),
    expected: { version: 1, attempt: 1, error_code: 'new', latest_event: 'ERRORED' },
  },
  'end a dry run': {
    action: 'succeed-dry-run',
    event: 'DRY_RUN_SUCCEEDED',
    run: async (_process, started) => imports().succeedDryRuns([started]),
    expected: { version: 1, attempt: 1, error_code: null, latest_event: 'CREATED' },
  },
  'roll back': {
    action: 'roll-back',
    event: 'ROLLED_BACK',
    run: rollBack,
    expected: { ...newVersion, account_number: null },
  },
};

const CASES = Object.entries(CHANGES).flatMap(([name, change]) =>
  IMPORT_PROCESS_STATUSES.map((from) => [name, from, transition(from, change.action), change] as const),
);

/** Inserts a process with this status. Returns it with the fencing token of the worker that has read or started it. */
async function prepare(from: StoredRow['status'], isWindowMissed?: true) {
  // Not a dry run, because those cannot be released.
  const process = await processes.inState(from, { isDryRun: false });
  const end = isWindowMissed ? `now() - interval '1 second'` : 'NULL';
  await processes.sql(`UPDATE import_process SET schedule_window_end = ${end}, batch_id = 7 WHERE id = $1`, [
    process.processId,
  ]);
  const before = await processes.read(process);
  const status = from === 'PENDING' ? 'PENDING' : 'IN_PROGRESS';
  const started: StartedImport = { ...startedImport, ...process, status, attempt: before.row.attempt };
  return { process, started, before };
}

const accountsOf = async ({ processId }: StoredProcess) =>
  (await processes.sql('SELECT 1 FROM account WHERE process_id = $1', [processId])).length;

describe('a statement that changes a process', () => {
  it('exists for every action', () => {
    const actions = Object.values(CHANGES).map(({ action }) => action);
    expect([...new Set(actions)].sort()).toEqual(Object.keys(IMPORT_PROCESS_TRANSITIONS).sort());
  });

  const allowed = CASES.filter(([, , to]) => to !== undefined);
  it.each(allowed)('%s from %s leads to %s and adds an event', async (_name, from, to, change) => {
    const { process, started, before } = await prepare(from, change.isWindowMissed);
    await change.run(process, started);
    const after = await processes.read(process);
    expect(after.row).toMatchObject({ status: to, ...change.expected });
    expect(after.events).toEqual([...before.events, change.event]);
    expect(await accountsOf(process)).toBe(to === 'PROCESSED' ? 1 : 0);
  });

  const forbidden = CASES.filter(([, , to]) => to === undefined);
  it.each(forbidden)('%s from %s changes nothing and adds no event', async (_name, from, _to, change) => {
    const { process, started, before } = await prepare(from, change.isWindowMissed);
    await change.run(process, started);
    expect(await processes.read(process)).toEqual(before);
    expect(await accountsOf(process)).toBe(from === 'PROCESSED' ? 1 : 0);
  });

  it.each(
    IMPORT_PROCESS_STATUSES.flatMap((from) =>
      [null, 'WAITING' as const].map((staging) => ({ from, staging })),
    ),
  )(
    'a new process is not written if one exists and is $from (staging: $staging)',
    async ({ from, staging }) => {
      const { process, before } = await prepare(from);
      const written = await pending().write([processes.scheduled(process.number, { staging })]);
      expect(written).toEqual([{ kind: 'conflict' }]);
      expect(await processes.read(process)).toEqual(before);
    },
  );

  it('insert creates a process with the status that scheduling leads to', async () => {
    const process = await processes.inState('PENDING');
    const { row, events } = await processes.read(process);
    expect(row).toMatchObject({
      status: transition('none', 'schedule'),
      version: 1,
      attempt: 0,
      is_released: false,
    });
    expect(events).toEqual(['SCHEDULED']);
  });
});

describe('a worker with an outdated job', () => {
  const results = ['create', 'fail', 'fail a dry run', 'end a dry run'];

  const begun = (['PENDING', 'IN_PROGRESS'] as const).flatMap((status) =>
    results.map((name) => [name, status] as const),
  );

  it.each(begun)(
    'stores nothing with %s for a process that it found %s after another worker has started it',
    async (name, status) => {
      const { process, started } = await prepare(status);
      await imports().start([process]);
      const before = await processes.read(process);
      await CHANGES[name]!.run(process, started);
      expect(await processes.read(process)).toEqual(before);
      expect(await accountsOf(process)).toBe(0);
    },
  );

  it.each([...results, 'start', 'cancel after a missed window'])(
    'changes nothing with %s after a later version was scheduled',
    async (name) => {
      const { process, started } = await prepare('ERRORED', true);
      await CHANGES['replace']!.run(process, started);
      if (name !== 'start' && name !== 'cancel after a missed window')
        await imports().start([{ processId: process.processId, version: 2 }]);
      const before = await processes.read(process);
      await CHANGES[name]!.run(process, started);
      expect(await processes.read(process)).toEqual(before);
      expect(await accountsOf(process)).toBe(0);
    },
  );
});
