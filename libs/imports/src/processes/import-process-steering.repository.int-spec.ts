import { Database } from '@portage/platform';
import { until } from '@portage/testing';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from './status';
import { steerableStatuses } from './steering';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';

// import-process-transitions.int-spec.ts tests the effect of each action on each status.

const test = useApplication();
const stored = new StoredProcesses(test);
let steering: ImportProcessSteeringRepository;

beforeAll(async () => {
  steering = test.app.get(ImportProcessSteeringRepository);
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

/** Inserts one process in each status, with the status as its account number. */
async function insertOneOfEach(): Promise<void> {
  for (const status of IMPORT_PROCESS_STATUSES)
    await stored.inState(status, { externalAccountNumber: status });
}

async function retry({
  status,
  errorCode,
}: {
  status?: ImportProcessStatus;
  errorCode?: string;
}): Promise<string[]> {
  const from = retrying.from.filter((allowed) => status === undefined || allowed === status);
  const steered = await steering.steer({ ...retrying, from }, { ...all(), errorCode }, '0', 100);
  expect(steered.filter(({ version }) => version === null)).toEqual([]);
  return steered.map(({ externalAccountNumber }) => externalAccountNumber);
}

describe('steering a selection of processes', () => {
  it.each<[string, Parameters<typeof retry>[0], ImportProcessStatus[]]>([
    ['nothing', {}, ['DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED']],
    ['one status', { status: 'CANCELLED' }, ['CANCELLED']],
    ['a status that forbids the action', { status: 'PROCESSED' }, []],
    ['an error', { errorCode: 'error' }, ['DRY_RUN_ERRORED', 'ERRORED']],
    ['an error in one status', { errorCode: 'error', status: 'ERRORED' }, ['ERRORED']],
    ['an error without processes', { errorCode: 'other' }, []],
  ])(
    'by %s changes those whose status allows it, in the order of creation, and no others',
    async (_what, filter, expected) => {
      await insertOneOfEach();
      const inOrder = IMPORT_PROCESS_STATUSES.filter((status) => expected.includes(status));
      expect(await retry(filter)).toEqual(inOrder);
      const moved = await stored.sql('SELECT 1 FROM import_process WHERE version = 2');
      expect(moved).toHaveLength(expected.length);
    },
  );

  it('does not find the processes of another supplier', async () => {
    const { number } = await stored.inState('ERRORED');
    const other = { supplierId: test.supplier.id + 1 };
    expect(await steering.steer(retrying, other, '0', 100)).toEqual([]);
    expect(await steering.steerOne(retrying, other.supplierId, number)).toBeUndefined();
    expect(await steering.count(retrying, other, 100)).toEqual({ count: 0, examined: 0 });
  });

  it('returns each process once, in batches', async () => {
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

  it('changes each process once when several operators run it concurrently, without a deadlock', async () => {
    for (let place = 0; place < 40; place += 1) await stored.inState('ERRORED');
    const operators = Array.from({ length: 6 }, async () => steering.steer(retrying, all(), '0', 100));
    const moved = (await Promise.all(operators)).flat().filter(({ version }) => version !== null);
    expect(moved).toHaveLength(40);
    expect(await stored.sql(`SELECT 1 FROM import_process_event WHERE event = 'RETRIED'`)).toHaveLength(40);
  });

  it('skips a process that another transaction changes in the meantime', async () => {
    const { number, processId } = await stored.inState('ERRORED');
    let result: ReturnType<typeof steering.steer> | undefined;
    await test.app.get(Database).transaction(async (executor) => {
      await executor.run(
        {
          name: '',
          text: `UPDATE import_process SET status = 'PENDING', version = 2,
        error_code = NULL WHERE id = $1`,
        },
        [processId],
      );
      result = steering.steer(retrying, all(), '0', 100);
      await waitForLockWait();
    });
    expect(await result).toMatchObject([{ externalAccountNumber: number, version: null }]);
    expect((await stored.read({ processId, version: 2 })).row).toMatchObject({
      status: 'PENDING',
      version: 2,
    });
  });
});

/** Resolves once a session of this database waits for a lock. */
async function waitForLockWait(): Promise<void> {
  const query = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => (await stored.sql(query)).length > 0, 'no session waits for a lock');
}

describe('releasing', () => {
  it('skips processes that were posted as a dry run, because they would only be dry run again', async () => {
    const dryRun = await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: true });
    const awaitingRelease = await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: false });
    const before = await stored.read(dryRun);
    const from = steerableStatuses('release', false);
    const releasing: Steering = { action: 'release', from, actor: 'operator:test' };
    const steered = await steering.steer(releasing, all(), '0', 10);
    expect(steered).toMatchObject([
      { processId: dryRun.processId, status: 'DRY_RUN_SUCCEEDED', isDryRun: true, version: null },
      { processId: awaitingRelease.processId, version: 2 },
    ]);
    expect(await steering.steerOne(releasing, test.supplier.id, dryRun.number)).toMatchObject({
      isDryRun: true,
      version: null,
    });
    expect(await stored.read(dryRun)).toEqual(before);
  });
});

describe('the schedule window of a retried process', () => {
  const one = async (number: string) => steering.steerOne(retrying, test.supplier.id, number);

  it('is removed if it has been missed, so that it does not cancel the retry', async () => {
    const missed = await stored.inState('CANCELLED', {
      scheduleWindowEnd: new Date(Date.now() - HOUR).toISOString(),
    });
    expect(await one(missed.number)).toMatchObject({ version: 2, delay: 0 });
    expect((await stored.read(missed)).row.schedule_window_end).toBeNull();
  });

  it('is unchanged if it has not opened yet', async () => {
    const [opens, closes] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)];
    const cancelled = await stored.inState('PENDING', {
      scheduleWindowStart: opens.toISOString(),
      scheduleWindowEnd: closes.toISOString(),
    });
    await steering.steerOne(
      { action: 'cancel', from: steerableStatuses('cancel', true), actor: 'operator:test' },
      test.supplier.id,
      cancelled.number,
    );
    const { delay } = (await one(cancelled.number))!;
    expect(delay).toBeGreaterThan(HOUR - 60_000);
    expect(delay).toBeLessThanOrEqual(HOUR);
    const { row } = await stored.read(cancelled);
    expect(
      [row.enqueued_at, row.schedule_window_start, row.schedule_window_end].map((at) => Date.parse(at!)),
    ).toEqual([opens.getTime(), opens.getTime(), closes.getTime()]);
  });
});
