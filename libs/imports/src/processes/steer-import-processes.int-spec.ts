import { Database, Queues, type Statement } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  insertProcesses,
  StoredProcesses,
  TestSubmission,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from './status';
import { CancelImport } from './cancel-import';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';
import { steerableStatuses, type SteeringAction } from './steering';
import { SteerImportProcesses } from './steer-import-processes';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);
let steering: SteerImportProcesses;

beforeAll(async () => {
  steering = test.app.get(SteerImportProcesses);
});
beforeEach(async () => {
  await stored.removeAll();
  await queue().obliterate({ force: true });
});

const queue = () => test.app.get(Queues).get('account-imports');
const countWaiting = async () => test.app.get(Queues).countWaiting('account-imports');
const LEGACY = { supplier: 'LEGACY' };

/** Inserts processes of one status with a single statement. */
async function many(status: ImportProcessStatus, count: number): Promise<void> {
  const error_code = status === 'ERRORED' ? `'error'` : 'NULL';
  const columns = { external_account_number: `'${status}' || n`, status: `'${status}'`, error_code };
  await stored.sql(insertProcesses(`generate_series(1, ${count}) AS n`, columns));
}

async function countOf(status: ImportProcessStatus): Promise<number> {
  return (await stored.sql('SELECT 1 FROM import_process WHERE status = $1', [status])).length;
}

/** Runs `work` and records how many rows each steering statement returned. */
async function batchesOf(work: () => Promise<unknown>): Promise<number[]> {
  const database = test.app.get(Database);
  const real = database.transaction.bind(database);
  const batches: number[] = [];
  database.transaction = async (steps) =>
    real(async (executor) =>
      steps({
        ...executor,
        run: async (statement: Statement, values) => {
          const rows = await executor.run(statement, values);
          if (statement.name.startsWith('steer-import-processes')) batches.push(rows.length);
          return rows as never;
        },
      }),
    );
  try {
    await work();
    return batches;
  } finally {
    database.transaction = real;
  }
}

describe('steering selected processes', () => {
  it('moves thousands in batches, each with one statement and its jobs, and reads no others', async () => {
    await many('ERRORED', 1_700);
    await many('PENDING', 50);
    const seen: number[] = [];
    expect(await steering.count('retry', LEGACY, 10_000)).toEqual({ count: 1_700, examined: 1_700 });
    const batches = await batchesOf(async () => {
      const tally = await steering.steer('retry', LEGACY, { onProgress: (count) => seen.push(count) });
      expect(tally).toEqual({
        steered: 1_700,
        skipped: {},
        withoutJob: 0,
        considered: 1_700,
        last: undefined,
        isComplete: true,
      });
    });
    expect(batches).toEqual([500, 500, 500, 200]);
    expect(seen).toEqual([500, 1_000, 1_500, 1_700]);
    expect(await countWaiting()).toBe(1_700);
  });

  it('can be stopped after any batch and continued by the same command', async () => {
    await many('ERRORED', 1_200);
    const stopping = new AbortController();
    const stopped = await steering.steer('retry', LEGACY, {
      signal: stopping.signal,
      onProgress: () => {
        stopping.abort();
      },
    });
    expect(stopped).toMatchObject({ steered: 500, skipped: {}, withoutJob: 0, isComplete: false });
    expect([await countOf('PENDING'), await countOf('ERRORED')]).toEqual([500, 700]);
    expect(await steering.steer('retry', LEGACY)).toMatchObject({ steered: 700, skipped: {} });
    expect(await countWaiting()).toBe(1_200);
  });

  it('can be continued after the process that a limited call has considered last', async () => {
    await many('ERRORED', 1_200);
    const one = await steering.steer('retry', LEGACY, { limit: 700 });
    expect(one).toMatchObject({ steered: 700, considered: 700, isComplete: true });
    const other = await steering.steer('retry', LEGACY, { limit: 700, after: one.last });
    expect(other).toMatchObject({ steered: 500, considered: 500, last: undefined, isComplete: true });
  });

  it.each([
    ['release', {}, ['DRY_RUN_SUCCEEDED']],
    ['cancel', {}, ['PENDING']],
    ['retry', {}, ['DRY_RUN_ERRORED', 'ERRORED']],
    ['retry', { status: 'CANCELLED' }, ['CANCELLED']],
    ['retry', { errorCode: 'error' }, ['DRY_RUN_ERRORED', 'ERRORED']],
    ['retry', { errorCode: 'error', status: 'ERRORED' }, ['ERRORED']],
    ['retry', { errorCode: 'other' }, []],
    ['release', { status: 'PROCESSED' }, []],
  ] as [SteeringAction, object, ImportProcessStatus[]][])(
    'the action %s on a selection by %j moves those in a status that allows it, and no others',
    async (action, filter, moved) => {
      for (const status of IMPORT_PROCESS_STATUSES) await stored.inState(status, { isDryRun: false });
      const before = await stored.sql('SELECT id FROM import_process WHERE status <> ALL($1) ORDER BY id', [
        moved,
      ]);
      const tally = await steering.steer(action, { ...LEGACY, ...filter });
      expect(tally).toMatchObject({ steered: moved.length, skipped: {}, isComplete: true });
      expect(await stored.sql('SELECT id FROM import_process WHERE version = 1 ORDER BY id')).toEqual(before);
    },
  );

  it('skips and counts dry runs when releasing, and retries them', async () => {
    await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: true });
    await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: false });
    expect(await steering.steer('release', LEGACY)).toMatchObject({ steered: 1, skipped: { is_dry_run: 1 } });
    expect(await countOf('DRY_RUN_SUCCEEDED')).toBe(1);
    expect(await countWaiting()).toBe(1);
    await stored.inState('DRY_RUN_ERRORED', { isDryRun: true });
    expect(await steering.steer('retry', LEGACY)).toMatchObject({ steered: 1, skipped: {} });
  });

  it('counts before what it would move: no dry run to release, and nothing to retry that was erased', async () => {
    for (const isDryRun of [true, false]) await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun });
    for (const [status, hash] of [
      ['ERRORED', ''],
      ['ERRORED', 'x'],
      ['PENDING', ''],
      ['PENDING', 'x'],
    ] as const) {
      const { processId } = await stored.inState(status);
      await stored.sql('UPDATE import_process SET payload_hash = $2 WHERE id = $1', [processId, hash]);
    }
    for (const action of ['release', 'retry'] as const)
      expect(await steering.count(action, LEGACY, 10)).toEqual({ count: 1, examined: 2 });
    expect(await steering.count('cancel', LEGACY, 10)).toEqual({ count: 2, examined: 2 });
    expect(await steering.steer('cancel', LEGACY)).toMatchObject({ steered: 2, skipped: {} });
  });

  it('can cancel processes while their supplier is paused', async () => {
    await stored.inState('PENDING');
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Paused');
    expect(await steering.steer('cancel', LEGACY)).toMatchObject({ steered: 1 });
    await expect(steering.steer('release', LEGACY)).rejects.toThrow('is Paused, so nothing can be released');
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
  });
});

describe('steering one process', () => {
  it.each([
    ['release', 'DRY_RUN_SUCCEEDED', 1],
    ['cancel', 'PENDING', 0],
    ['retry', 'CANCELLED', 1],
  ] as const)('the action %s moves a process that is %s, and adds its job', async (action, status, jobs) => {
    const { number } = await stored.inState(status, { isDryRun: false });
    expect(await steering.steerOne(action, 'LEGACY', number)).toMatchObject({ steered: 1, withoutJob: 0 });
    expect(await countWaiting()).toBe(jobs);
  });

  it('is the latest event of a staged process if it is a retry, which is staged no more', async () => {
    const { processId } = await stored.inState('ERRORED', { externalAccountNumber: 'N-1' });
    await stored.sql(`UPDATE import_process SET staging = 'PROCESSING'`);
    const state = async () =>
      (
        await stored.sql(
          `SELECT latest_event_at = modified_at AS "isLatest", staging FROM import_process WHERE id = $1`,
          [processId],
        )
      )[0];
    await steering.steerOne('retry', 'LEGACY', 'N-1');
    expect(await state()).toEqual({ isLatest: true, staging: null });
    await steering.steerOne('cancel', 'LEGACY', 'N-1');
    expect(await state()).toEqual({ isLatest: false, staging: null });
  });

  it('adds no job while the schedule window is yet to open', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    const { number } = await stored.inState('PENDING', { scheduleWindowStart: opens.toISOString() });
    await steering.steerOne('cancel', 'LEGACY', number);
    expect(await steering.steerOne('retry', 'LEGACY', number)).toMatchObject({ steered: 1, withoutJob: 0 });
    expect([await countWaiting(), await queue().getJobCounts('delayed')]).toEqual([0, { delayed: 0 }]);
  });

  it.each([
    ['release', 'PENDING', 'is PENDING. Only a process that is DRY_RUN_SUCCEEDED can be released.'],
    [
      'cancel',
      'IN_PROGRESS',
      'is IN_PROGRESS. Only a process that is PENDING or DRY_RUN_SUCCEEDED can be cancelled.',
    ],
    [
      'retry',
      'PROCESSED',
      'is PROCESSED. Only a process that is DRY_RUN_ERRORED or CANCELLED or ERRORED can be retried.',
    ],
    ['release', 'DRY_RUN_SUCCEEDED', 'Post the account again without is_dry_run.'],
    ['cancel', 'DRY_RUN_SUCCEEDED', 'so it has ended with its dry run.'],
  ] as const)(
    'the action %s is refused for a process that is %s, with the reason',
    async (action, status, reason) => {
      const process = await stored.inState(status);
      const before = await stored.read(process);
      await expect(steering.steerOne(action, 'LEGACY', process.number)).rejects.toThrow(reason);
      expect(await stored.read(process)).toEqual(before);
    },
  );

  it('refuses an unknown process and an unknown supplier', async () => {
    await expect(steering.steerOne('retry', 'LEGACY', 'nobody')).rejects.toThrow('has no process');
    await expect(steering.steerOne('retry', 'NOBODY', 'nobody')).rejects.toThrow(
      'There is no supplier NOBODY',
    );
  });
});

describe('the release of a submission', () => {
  const COUNT = 1_200;

  /** Ends the dry runs of a new submission, between those of another one. Returns its id. */
  async function submissionAfterDryRun(reference: string): Promise<string> {
    const { id } = await TestSubmission.open(test, reference);
    const other = await TestSubmission.open(test, `${reference} of others`);
    await many('DRY_RUN_SUCCEEDED', 2 * COUNT);
    await stored.sql(
      'UPDATE import_process SET submission_id = CASE WHEN id % 2 = 0 THEN $1::bigint ELSE $2::bigint END',
      [id, other.id],
    );
    return id;
  }

  it('takes the first accounts by creation, then the rest, and leaves those of other submissions', async () => {
    const id = await submissionAfterDryRun('canary');
    const selected = { ...LEGACY, submissionId: id };
    const considered: number[] = [];
    const release = async (first?: number) =>
      steering.steer('release', selected, { first, onProgress: (count) => considered.push(count) });
    expect(await release(700)).toMatchObject({ steered: 700, skipped: {}, withoutJob: 0, isComplete: true });
    expect(considered).toEqual([500, 700]);
    const released = await stored.sql<{ isFirst: boolean }>(
      `SELECT id <= (SELECT id FROM import_process WHERE submission_id = $1 ORDER BY id OFFSET 699 LIMIT 1) AS "isFirst"
       FROM import_process WHERE status = 'PENDING' AND submission_id = $1`,
      [id],
    );
    expect(released.filter(({ isFirst }) => isFirst)).toHaveLength(700);
    expect(released).toHaveLength(700);
    expect(await countWaiting()).toBe(700);
    expect(await steering.count('release', selected, 1_000)).toMatchObject({ count: 500 });
    expect(await release()).toMatchObject({ steered: 500, isComplete: true });
    expect(await countOf('DRY_RUN_SUCCEEDED')).toBe(COUNT);
    const entries = await stored.sql<{ details: object }>(
      `SELECT details FROM audit_entry WHERE action = 'process.release' AND details->>'submission' = $1 ORDER BY id`,
      [id],
    );
    expect(entries.map(({ details }) => details)).toEqual([
      { submission: id, first: 700, steered: 700, skipped: {}, is_complete: true },
      { submission: id, steered: 500, skipped: {}, is_complete: true },
    ]);
  });
});

const HOUR = 3_600_000;
const repository = () => test.app.get(ImportProcessSteeringRepository);
const retrying: Steering = {
  action: 'retry',
  from: steerableStatuses('retry', true),
  actor: 'operator:test',
};

const steerAll = async () => {
  const selected = await repository().select(retrying, { supplierId: test.supplier.id }, '0', 100);
  return repository().steer(
    retrying,
    selected.map(({ id }) => id),
  );
};

describe('the statements that steer a selection of processes', () => {
  it('does not find the processes of another supplier', async () => {
    const { number } = await stored.inState('ERRORED');
    const other = { supplierId: test.supplier.id + 1 };
    expect(await repository().select(retrying, other, '0', 100)).toEqual([]);
    expect(await repository().findId({ ...other, externalAccountNumber: number })).toBeUndefined();
  });

  it('finds the processes after the one that was considered last, in their order', async () => {
    const ids: string[] = [];
    for (const status of ['ERRORED', 'CANCELLED', 'ERRORED', 'CANCELLED'] as const)
      ids.push((await stored.inState(status)).processId);
    const found = await repository().select(retrying, { supplierId: test.supplier.id }, ids[0]!, 2);
    expect(found.map(({ id }) => id)).toEqual(ids.slice(1, 3));
  });

  it('changes each process once when several operators run it concurrently, without a deadlock', async () => {
    for (let place = 0; place < 40; place += 1) await stored.inState('ERRORED');
    const operators = Array.from({ length: 6 }, async () => steerAll());
    const moved = (await Promise.all(operators)).flat().filter(({ version }) => version !== null);
    expect(moved).toHaveLength(40);
    expect(await stored.sql(`SELECT 1 FROM import_process_event WHERE event = 'RETRIED'`)).toHaveLength(40);
  });
});

describe('the schedule window of a retried process', () => {
  const one = async ({ processId }: { processId: string }) =>
    (await repository().steer(retrying, [processId]))[0];

  it('is removed if it has been missed, so that it does not cancel the retry', async () => {
    const missed = await stored.inState('CANCELLED', {
      scheduleWindowEnd: new Date(Date.now() - HOUR).toISOString(),
    });
    expect(await one(missed)).toMatchObject({ version: 2, isDue: true });
    expect((await stored.read(missed)).row.schedule_window_end).toBeNull();
  });

  it('is unchanged if it has not opened yet', async () => {
    const [opens, closes] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)];
    const cancelled = await stored.inState('PENDING', {
      scheduleWindowStart: opens.toISOString(),
      scheduleWindowEnd: closes.toISOString(),
    });
    await repository().steer(
      { action: 'cancel', from: steerableStatuses('cancel', true), actor: 'operator:test' },
      [cancelled.processId],
    );
    expect(await one(cancelled)).toMatchObject({ version: 3, isDue: false });
    const { row } = await stored.read(cancelled);
    expect(
      [row.enqueued_at, row.schedule_window_start, row.schedule_window_end].map((at) => Date.parse(at!)),
    ).toEqual([opens.getTime(), opens.getTime(), closes.getTime()]);
  });
});

/** Inserts a process with a status. Returns its account number. */
async function insert(status: ImportProcessStatus): Promise<string> {
  await many(status, 1);
  return `${status}1`;
}

/** Begins `actions` while another transaction holds the process, and has it end with `status`. */
async function whileChanging<Result>(
  number: string,
  status: ImportProcessStatus,
  actions: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  let results: Promise<PromiseSettledResult<Result>[]> = Promise.resolve([]);
  await test.app.get(Database).transaction(async (executor) => {
    await executor.run(
      {
        name: 'change-process',
        text: `UPDATE import_process SET status = $2, error_code = CASE WHEN $2 = 'ERRORED' THEN 'error' END
          WHERE external_account_number = $1`,
      },
      [number, status],
    );
    results = Promise.allSettled(actions.map(async (action) => action()));
    await test.untilWaiting(actions.length);
  });
  return results;
}

const cancel = (number: string) => async () =>
  (await test.app.get(CancelImport).cancel(test.caller, 'LEGACY', number)).status;
const steerOne = (action: SteeringAction, number: string) => async () =>
  (await steering.steerOne(action, 'LEGACY', number)).steered;

describe('an action on a process that changes at the same time', () => {
  it('finds it cancelled, if another request has cancelled it', async () => {
    const number = await insert('PENDING');
    const results = await whileChanging(
      number,
      'CANCELLED',
      Array<ReturnType<typeof cancel>>(3).fill(cancel(number)),
    );
    expect(results).toEqual(Array(3).fill({ status: 'fulfilled', value: 'CANCELLED' }));
  });

  it.each([
    ['IN_PROGRESS', 'import_process_in_progress'],
    ['ERRORED', 'import_process_not_pending'],
  ] as const)('refuses to cancel what has begun or ended since: %s', async (status, code) => {
    const number = await insert('PENDING');
    const [result] = await whileChanging(number, status, [cancel(number)]);
    expect(result).toMatchObject({ status: 'rejected', reason: { code } });
  });

  it.each([
    ['cancel', 'PENDING', 'CANCELLED'],
    ['cancel', 'PENDING', 'IN_PROGRESS'],
    ['retry', 'ERRORED', 'PENDING'],
    ['release', 'DRY_RUN_SUCCEEDED', 'PENDING'],
  ] as const)('is refused by its state after the change: %s of %s that is %s', async (action, from, to) => {
    const number = await insert(from);
    const [result] = await whileChanging(number, to, [steerOne(action, number)]);
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'operation_refused' } });
    expect((result as PromiseRejectedResult).reason).toHaveProperty(
      'detail',
      expect.stringContaining(`is ${to}.`),
    );
  });

  it('is performed if the change has led to a state from which it is allowed', async () => {
    const number = await insert('PENDING');
    expect(await whileChanging(number, 'ERRORED', [steerOne('retry', number)])).toEqual([
      { status: 'fulfilled', value: 1 },
    ]);
  });

  it('counts the processes of a selection by their states after the change', async () => {
    const number = await insert('ERRORED');
    const [result] = await whileChanging(number, 'CANCELLED', [
      async () => steering.steer('retry', { ...LEGACY, externalAccountNumbers: [number] }),
    ]);
    expect(result).toMatchObject({ value: { steered: 0, skipped: { CANCELLED: 1 } } });
  });
});
