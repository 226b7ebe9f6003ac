import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus, steerableStatuses } from '@portage/domain';
import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { Database } from '../connection/database';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';

// What each action does to each state is in import-process-transitions.int-spec.ts.

let test: TestApplication;
let stored: StoredProcesses;
let steering: ImportProcessSteeringRepository;

beforeAll(async () => {
  test = await startApplication();
  stored = new StoredProcesses(test);
  steering = test.app.get(ImportProcessSteeringRepository);
});
afterAll(async () => {
  await test.app.close();
});
beforeEach(async () => {
  await stored.removeAll();
});

const HOUR = 3_600_000;
const all = () => ({ supplierId: test.supplier.id });
const retrying: Steering = {
  action: 'retry',
  from: steerableStatuses('retry', true),
  actor: 'operator:test',
};

/** One process in each state, its account number the name of the state. */
async function oneOfEach(): Promise<void> {
  for (const status of IMPORT_PROCESS_STATUSES)
    await stored.inState(status, { externalAccountNumber: status });
}

async function retry(filter: {
  status?: ImportProcessStatus;
  errorCode?: string;
}): Promise<[string, boolean][]> {
  const looked = await steering.steer(retrying, { ...all(), ...filter }, '0', 100);
  return looked.map(({ externalAccountNumber, version }) => [externalAccountNumber, version !== null]);
}

describe('a choice of processes', () => {
  it('comes upon all of them in the order of creation, and moves those that it may', async () => {
    await oneOfEach();
    const movable: ImportProcessStatus[] = ['DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED'];
    expect(await retry({})).toEqual(
      IMPORT_PROCESS_STATUSES.map((status) => [status, movable.includes(status)]),
    );
    expect(await steering.count(all())).toBe(IMPORT_PROCESS_STATUSES.length);
  });

  it.each([
    ['one state', { status: 'CANCELLED' as const }, [['CANCELLED', true]]],
    ['a state that forbids it', { status: 'PROCESSED' as const }, [['PROCESSED', false]]],
    [
      'an error',
      { errorCode: 'error' },
      [
        ['DRY_RUN_ERRORED', true],
        ['ERRORED', true],
      ],
    ],
    ['an error in one state', { errorCode: 'error', status: 'ERRORED' as const }, [['ERRORED', true]]],
    ['an error that none has', { errorCode: 'other' }, []],
  ])('by %s leaves all others alone', async (_what, filter, expected) => {
    await oneOfEach();
    expect(await steering.count({ ...all(), ...filter })).toBe(expected.length);
    expect(await retry(filter)).toEqual(expected);
    const moved = await stored.sql('SELECT 1 FROM import_process WHERE version = 2');
    expect(moved).toHaveLength(expected.filter(([, isMoved]) => isMoved).length);
  });

  it('never reaches the processes of another supplier', async () => {
    const { number } = await stored.inState('ERRORED');
    const other = { supplierId: test.supplier.id + 1 };
    expect(await steering.steer(retrying, other, '0', 100)).toEqual([]);
    expect(await steering.steerOne(retrying, other.supplierId, number)).toBeUndefined();
    expect(await steering.count(other)).toBe(0);
  });

  it('is worked through in batches, each process once', async () => {
    const numbers: string[] = [];
    for (let place = 0; place < 12; place += 1) numbers.push((await stored.inState('ERRORED')).number);
    const seen: string[] = [];
    for (let after = '0'; ;) {
      const batch = await steering.steer(retrying, all(), after, 5);
      if (batch.length === 0) break;
      expect(batch.length).toBeLessThanOrEqual(5);
      seen.push(...batch.map(({ externalAccountNumber }) => externalAccountNumber));
      after = batch.at(-1)!.processId;
    }
    expect(seen).toEqual(numbers);
  });

  it('made by several operators at once moves each process once, and nobody waits for ever', async () => {
    for (let place = 0; place < 40; place += 1) await stored.inState('ERRORED');
    const operators = Array.from({ length: 6 }, async () => steering.steer(retrying, all(), '0', 100));
    const moved = (await Promise.all(operators)).flat().filter(({ version }) => version !== null);
    expect(moved).toHaveLength(40);
    expect(await stored.sql(`SELECT 1 FROM import_process_event WHERE event = 'RETRIED'`)).toHaveLength(40);
  });

  it('passes over what somebody else changes meanwhile', async () => {
    const { number, processId } = await stored.inState('ERRORED');
    let result: ReturnType<typeof retry> | undefined;
    await test.app.get(Database).transaction(async (executor) => {
      await executor.run(
        {
          name: '',
          text: `UPDATE import_process SET status = 'PENDING', version = 2,
        error_code = NULL WHERE id = $1`,
        },
        [processId],
      );
      result = retry({});
      await waitingForLock();
    });
    expect(await result).toEqual([[number, false]]);
    expect((await stored.stored({ processId, version: 2 })).row).toMatchObject({
      status: 'PENDING',
      version: 2,
    });
  });
});

/** Resolves once some session of this database waits for a lock. */
async function waitingForLock(): Promise<void> {
  const query = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  while ((await stored.sql(query)).length === 0);
}

describe('releasing', () => {
  it('passes over what was posted as a dry run: it would only be rehearsed again', async () => {
    const rehearsed = await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: true });
    const staged = await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: false });
    const before = await stored.stored(rehearsed);
    const from = steerableStatuses('release', false);
    const releasing: Steering = { action: 'release', from, actor: 'operator:test' };
    const looked = await steering.steer(releasing, all(), '0', 10);
    expect(looked).toMatchObject([
      { processId: rehearsed.processId, status: 'DRY_RUN_SUCCEEDED', isDryRun: true, version: null },
      { processId: staged.processId, version: 2 },
    ]);
    expect(await steering.steerOne(releasing, test.supplier.id, rehearsed.number)).toMatchObject({
      isDryRun: true,
      version: null,
    });
    expect(await stored.stored(rehearsed)).toEqual(before);
  });
});

describe('the schedule window of what is retried', () => {
  const one = async (number: string) => steering.steerOne(retrying, test.supplier.id, number);

  it('no longer cancels once it has been missed', async () => {
    const missed = await stored.inState('CANCELLED', { scheduleWindowEnd: new Date(Date.now() - HOUR) });
    expect(await one(missed.number)).toMatchObject({ version: 2, delay: 0 });
    expect((await stored.stored(missed)).row.schedule_window_end).toBeNull();
  });

  it('is kept where it is yet to open: nothing starts before the supplier wants it', async () => {
    const [opens, closes] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)];
    const cancelled = await stored.inState('PENDING', {
      scheduleWindowStart: opens,
      scheduleWindowEnd: closes,
    });
    await steering.steerOne(
      { action: 'cancel', from: steerableStatuses('cancel', true), actor: 'operator:test' },
      test.supplier.id,
      cancelled.number,
    );
    const { delay } = (await one(cancelled.number))!;
    expect(delay).toBeGreaterThan(HOUR - 60_000);
    expect(delay).toBeLessThanOrEqual(HOUR);
    const { row } = await stored.stored(cancelled);
    expect(
      [row.enqueued_at, row.schedule_window_start, row.schedule_window_end].map((at) => Date.parse(at!)),
    ).toEqual([opens.getTime(), opens.getTime(), closes.getTime()]);
  });
});
