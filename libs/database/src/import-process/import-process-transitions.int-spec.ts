import {
  IMPORT_PROCESS_STATUSES,
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessAction,
  type ImportProcessEvent,
  steerableStatuses,
  type SteeringAction,
  transition,
} from '@portage/domain';
import {
  accountFor,
  startApplication,
  type StoredProcess,
  StoredProcesses,
  type StoredRow,
  type TestApplication,
} from '@portage/testing/application';
import { Database } from '../connection/database';
import { AccountImportRepository, type StartedImport } from '../whole-account/account-import.repository';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';
import { ImportProcessSchedulingRepository } from './import-process-scheduling.repository';

let test: TestApplication;
let processes: StoredProcesses;

beforeAll(async () => {
  test = await startApplication();
  processes = new StoredProcesses(test);
});
afterAll(async () => {
  await test.app.close();
});

interface Change {
  action: ImportProcessAction;
  event: ImportProcessEvent;
  /** Runs the statement on a process, as the latest attempt of its latest version would. */
  run: (process: StoredProcess, started: StartedImport) => Promise<unknown>;
  /** What the new row must be, beside its state. */
  then: Partial<StoredRow>;
  /** A window that was missed, which is what this statement asks for. */
  missed?: true;
}

const imports = () => test.app.get(AccountImportRepository);
const scheduling = () => test.app.get(ImportProcessSchedulingRepository);

const ended =
  (status: 'ERRORED' | 'DRY_RUN_ERRORED') => async (_process: StoredProcess, started: StartedImport) =>
    imports().fail({ ...started, status, code: 'new', detail: 'New words.' });

const by = (action: SteeringAction): Steering => ({
  action,
  from: steerableStatuses(action, true),
  actor: 'operator:test',
});

const steered = (action: SteeringAction) => async (process: StoredProcess) =>
  test.app.get(ImportProcessSteeringRepository).steerOne(by(action), test.supplier.id, process.number);

const steeredMany = (action: SteeringAction) => async (process: StoredProcess) =>
  test.app
    .get(ImportProcessSteeringRepository)
    .steer(by(action), { supplierId: test.supplier.id }, String(BigInt(process.processId) - 1n), 1);

const again = { version: 2, attempt: 0, error_code: null, latest_event: 'CREATED' };

/** Every statement that changes a process, and the action that it carries out. */
const CHANGES: Record<string, Change> = {
  replace: {
    action: 'schedule',
    event: 'SCHEDULED',
    run: async (process) =>
      test.app
        .get(Database)
        .transaction(async (executor) =>
          scheduling().replace(executor, process.processId, processes.scheduled(process.number)),
        ),
    then: { ...again, is_released: false },
  },
  retry: { action: 'retry', event: 'RETRIED', run: steered('retry'), then: again },
  'retry many': { action: 'retry', event: 'RETRIED', run: steeredMany('retry'), then: again },
  release: {
    action: 'release',
    event: 'RELEASED',
    run: steered('release'),
    then: { ...again, is_released: true },
  },
  'release many': {
    action: 'release',
    event: 'RELEASED',
    run: steeredMany('release'),
    then: { ...again, is_released: true },
  },
  cancel: { action: 'cancel', event: 'CANCELLED', run: steered('cancel'), then: again },
  'cancel many': { action: 'cancel', event: 'CANCELLED', run: steeredMany('cancel'), then: again },
  'cancel what missed its window': {
    action: 'cancel',
    event: 'CANCELLED',
    run: async (process) => imports().cancelMissed(process),
    then: { version: 1, attempt: 0, error_code: null, latest_event: 'CREATED' },
    missed: true,
  },
  start: {
    action: 'start',
    event: 'STARTED',
    run: async (process) => imports().start([process]),
    then: { version: 1, latest_event: 'CREATED' },
  },
  create: {
    action: 'process',
    event: 'PROCESSED',
    run: async (process, started) => imports().create([{ started, account: accountFor(process) }]),
    then: { version: 1, attempt: 1, error_code: null, latest_event: 'PROCESSED' },
  },
  fail: {
    action: 'error',
    event: 'ERRORED',
    run: ended('ERRORED'),
    then: { version: 1, attempt: 1, error_code: 'new', latest_event: 'ERRORED' },
  },
  'fail a dry run': {
    action: 'error-dry-run',
    event: 'DRY_RUN_ERRORED',
    run: ended('DRY_RUN_ERRORED'),
    then: { version: 1, attempt: 1, error_code: 'new', latest_event: 'ERRORED' },
  },
  'end a dry run': {
    action: 'succeed-dry-run',
    event: 'DRY_RUN_SUCCEEDED',
    run: async (_process, started) => (await imports().succeedDryRuns([started])).length > 0,
    then: { version: 1, attempt: 1, error_code: null, latest_event: 'CREATED' },
  },
};

const CASES = Object.entries(CHANGES).flatMap(([name, change]) =>
  IMPORT_PROCESS_STATUSES.map((from) => [name, from, transition(from, change.action), change] as const),
);

/** A process in this state, and the proof of having started it that a worker would show. */
async function prepared(from: StoredRow['status'], missed?: true) {
  // A staged one: a process that asked for a dry run is not released.
  const process = await processes.inState(from, { isDryRun: false });
  const end = missed ? `now() - interval '1 second'` : 'NULL';
  await processes.sql(`UPDATE import_process SET schedule_window_end = ${end} WHERE id = $1`, [
    process.processId,
  ]);
  const before = await processes.stored(process);
  const started = { ...process, attempt: before.row.attempt } as unknown as StartedImport;
  return { process, started, before };
}

const accountsOf = async ({ processId }: StoredProcess) =>
  (await processes.sql('SELECT 1 FROM account WHERE process_id = $1', [processId])).length;

describe('the statements that change a process', () => {
  it('carry out every action there is', () => {
    const actions = Object.values(CHANGES).map(({ action }) => action);
    expect([...new Set(actions)].sort()).toEqual(Object.keys(IMPORT_PROCESS_TRANSITIONS).sort());
  });

  const allowed = CASES.filter(([, , to]) => to !== undefined);
  it.each(allowed)('%s from %s leads to %s and is recorded', async (_name, from, to, change) => {
    const { process, started, before } = await prepared(from, change.missed);
    await change.run(process, started);
    const after = await processes.stored(process);
    expect(after.row).toMatchObject({ status: to, ...change.then });
    expect(after.events).toEqual([...before.events, change.event]);
    expect(await accountsOf(process)).toBe(to === 'PROCESSED' ? 1 : 0);
  });

  const forbidden = CASES.filter(([, , to]) => to === undefined);
  it.each(forbidden)('%s from %s changes nothing and records nothing', async (_name, from, _to, change) => {
    const { process, started, before } = await prepared(from, change.missed);
    await change.run(process, started);
    expect(await processes.stored(process)).toEqual(before);
    expect(await accountsOf(process)).toBe(from === 'PROCESSED' ? 1 : 0);
  });

  it.each(IMPORT_PROCESS_STATUSES)(
    'insert changes nothing where there is a process that is %s',
    async (from) => {
      const { process, before } = await prepared(from);
      expect(await scheduling().insert([processes.scheduled(process.number)])).toEqual([{ kind: 'exists' }]);
      expect(await processes.stored(process)).toEqual(before);
    },
  );

  it('insert makes a process that is what scheduling leads to', async () => {
    const process = await processes.inState('PENDING');
    const { row, events } = await processes.stored(process);
    expect(row).toMatchObject({
      status: transition('none', 'schedule'),
      version: 1,
      attempt: 0,
      is_released: false,
    });
    expect(events).toEqual(['SCHEDULED']);
  });
});

describe('a worker that is not the latest', () => {
  const results = ['create', 'fail', 'fail a dry run', 'end a dry run'];

  it.each(results)('stores nothing with %s once another has started the same version', async (name) => {
    const { process, started } = await prepared('IN_PROGRESS');
    await imports().start([process]);
    const before = await processes.stored(process);
    await CHANGES[name]!.run(process, started);
    expect(await processes.stored(process)).toEqual(before);
    expect(await accountsOf(process)).toBe(0);
  });

  it.each([...results, 'start', 'cancel what missed its window'])(
    'changes nothing with %s once a later version has been scheduled',
    async (name) => {
      const { process, started } = await prepared('ERRORED', true);
      await CHANGES['replace']!.run(process, started);
      if (name !== 'start' && name !== 'cancel what missed its window')
        await imports().start([{ processId: process.processId, version: 2 }]);
      const before = await processes.stored(process);
      await CHANGES[name]!.run(process, started);
      expect(await processes.stored(process)).toEqual(before);
      expect(await accountsOf(process)).toBe(0);
    },
  );
});
