import {
  CONFIG,
  type Config,
  importAccountsJob,
  JobProducer,
  Logger,
  Metrics,
  Queues,
} from '@portage/platform';
import { account, testedBackends } from '@portage/testing';
import {
  scheduleAccount,
  type StoredProcess,
  StoredProcesses,
  useApplication,
} from '@portage/testing/application';
import { AccountImportRepository } from '../accounts/account-import.repository';
import { StaleImportRepository } from './stale-import.repository';
import { SweepImportProcesses } from './sweep-import-processes';

const never = () => false;

describe.each(testedBackends())('the sweep of import processes (%s)', (backend) => {
  const test = useApplication(backend);
  const stored = new StoredProcesses(test);
  let sweeping: SweepImportProcesses;

  beforeAll(async () => {
    const { app } = test;
    sweeping = new SweepImportProcesses(
      app.get(StaleImportRepository),
      app.get(JobProducer),
      app.get(Logger),
      app.get(Metrics),
      app.get(CONFIG),
      { batchSize: 20, minQueueDepth: 100 },
    );
  });
  beforeEach(async () => {
    await stored.removeAll();
    await queue().obliterate({ force: true });
  });

  const queue = () => test.app.get(Queues).get('account-imports');

  /** Ages all processes so that a sweep checks them, except those that wait for their schedule window. */
  async function later(): Promise<void> {
    const after = test.app.get<Config>(CONFIG).SWEEP_AFTER_MS + 1_000;
    await stored.sql(
      `UPDATE import_process SET enqueued_at = enqueued_at - make_interval(secs => $1 / 1000.0)
       WHERE enqueued_at <= now()`,
      [after],
    );
  }

  async function openWindows(): Promise<void> {
    await stored.sql(
      `UPDATE import_process SET schedule_window_start = opened, enqueued_at = opened
       FROM (SELECT now() - interval '1 second') start (opened) WHERE schedule_window_start > now()`,
    );
  }

  async function post(number: string, schedule_window_start?: string): Promise<string> {
    const body = { payload: account(number), task_params: { schedule_window_start } };
    await scheduleAccount(test, test.caller, body);
    const [row] = await stored.sql<{ id: string }>(
      'SELECT id FROM import_process WHERE external_account_number = $1',
      [number],
    );
    return row!.id;
  }

  const jobIds = async (...states: ('waiting' | 'prioritized' | 'delayed')[]) =>
    (await queue().getJobs(states)).map(({ id }) => String(id)).sort();

  it('finds nothing while every job exists', async () => {
    await post('alive');
    await post('waits', new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z'));
    await later();
    expect(await sweeping.sweep(never)).toBe(0);
    expect(await jobIds('waiting', 'prioritized', 'delayed')).toHaveLength(1);
  });

  it('adds missing jobs of PENDING and IN_PROGRESS processes only, and not too early', async () => {
    const pending = await post('pending');
    const running = await stored.inState('IN_PROGRESS');
    for (const status of [
      'PROCESSED',
      'ERRORED',
      'CANCELLED',
      'DRY_RUN_SUCCEEDED',
      'DRY_RUN_ERRORED',
    ] as const)
      await stored.inState(status);
    await queue().obliterate({ force: true });
    expect(await sweeping.sweep(never)).toBe(0);
    await later();
    expect(await sweeping.sweep(never)).toBe(2);
    expect(await jobIds('waiting', 'prioritized')).toEqual(
      [`process-${pending}-1`, `process-${running.processId}-1`].sort(),
    );
    await later();
    expect(await sweeping.sweep(never)).toBe(0);
  });

  it('adds the job of a process once its schedule window has opened, and not before', async () => {
    const opens = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const waiting = await post('waits', opens);
    await later();
    expect(await sweeping.sweep(never)).toBe(0);
    expect(await jobIds('waiting', 'prioritized')).toEqual([]);
    await openWindows();
    // It was not lost.
    expect(await sweeping.sweep(never)).toBe(0);
    expect(await jobIds('waiting', 'prioritized')).toEqual([`process-${waiting}-1`]);
    await queue().obliterate({ force: true });
    expect(await sweeping.sweep(never)).toBe(0);
    await later();
    expect(await sweeping.sweep(never)).toBe(1);
    expect(await jobIds('waiting', 'prioritized')).toEqual([`process-${waiting}-1`]);
  });

  it('adds the job of the latest version only', async () => {
    const id = await post('replaced');
    await scheduleAccount(test, test.caller, account('replaced', { nickname: 'new' }));
    await queue().obliterate({ force: true });
    await later();
    expect(await sweeping.sweep(never)).toBe(1);
    expect(await jobIds('waiting', 'prioritized')).toEqual([`process-${id}-2`]);
  });

  it('skips a process that a worker has just started, even if it had waited for long', async () => {
    const { processId, version } = await stored.inState('PENDING');
    await later();
    await test.app.get(AccountImportRepository).start([{ processId, version }]);
    expect(await sweeping.sweep(never)).toBe(0);
  });

  /** Inserts processes that were stored together. */
  async function storeBatch(count: number, batchId: string): Promise<StoredProcess[]> {
    const processes = await Promise.all(Array.from({ length: count }, async () => stored.inState('PENDING')));
    const ids = processes.map(({ processId }) => processId);
    await stored.sql('UPDATE import_process SET batch_id = $1 WHERE id = ANY($2)', [batchId, ids]);
    return processes;
  }

  const batchJob = (processes: readonly StoredProcess[], batchId: string) =>
    importAccountsJob({
      organisationId: test.organisationId,
      supplier: 'LEGACY',
      batchId,
      processes: processes.map(({ processId, version, number }) => ({
        processId,
        version,
        externalAccountNumber: number,
      })),
    });
  const idsIn = async (id: string) =>
    ((await queue().getJob(id))?.data as { processes: { processId: string }[] }).processes
      .map(({ processId }) => processId)
      .sort();
  const idsOf = (processes: readonly StoredProcess[]) => processes.map(({ processId }) => processId).sort();

  it('finds nothing while the job of a batch or a job of its own exists for each account', async () => {
    const [together, single] = [await storeBatch(5, '71'), await storeBatch(2, '72')];
    const ownJobs = single.map((process) => batchJob([process], '72'));
    await test.app.get(JobProducer).add('account-imports', [batchJob(together, '71'), ...ownJobs]);
    await later();
    expect(await sweeping.sweep(never)).toBe(0);
    expect(await jobIds('waiting', 'prioritized')).toHaveLength(3);
  });

  it('adds the missing accounts of one batch as one job, however many wait', async () => {
    const batches = await Promise.all(['81', '82', '83'].map(async (id) => storeBatch(18, id)));
    await test.app.get(JobProducer).add('account-imports', [
      // One account of the first batch has a job of its own.
      batchJob(batches[0]!.slice(0, 1), '81'),
    ]);
    await later();
    let missing = 0;
    for (let sweep = 0; sweep < 4; sweep += 1) missing += await sweeping.sweep(never);
    expect(missing).toBe(53);
    const ids = await jobIds('waiting', 'prioritized');
    const held = await Promise.all(['81', '82', '83'].map(async (id) => idsIn(`batch-${id}`)));
    const ownIds = ids.filter((id) => id.startsWith('process-')).map((id) => id.split('-')[1]!);
    // A step of a sweep takes 20 accounts, so it cuts batches: the rest of one gets jobs of their own.
    expect([...held.flat(), ...ownIds].sort()).toEqual(idsOf(batches.flat()));
    await later();
    for (let sweep = 0; sweep < 4; sweep += 1) expect(await sweeping.sweep(never)).toBe(0);
  });

  it('adds an account that the job of its batch does not hold, and its later version by itself', async () => {
    const processes = await storeBatch(4, '91');
    await test.app.get(JobProducer).add('account-imports', [batchJob(processes.slice(0, 2), '91')]);
    await later();
    expect(await sweeping.sweep(never)).toBe(2);
    expect(await jobIds('waiting', 'prioritized')).toEqual(
      ['batch-91', ...processes.slice(2).map(({ processId }) => `process-${processId}-1`)].sort(),
    );
  });

  it('replaces the failed job of a batch by one with the accounts that are not finished', async () => {
    const processes = await storeBatch(3, '95');
    await test.app.get(JobProducer).add('account-imports', [batchJob(processes, '95')]);
    await (await queue().getJob('batch-95'))!.remove();
    await test.app.get(AccountImportRepository).start(processes.slice(0, 1));
    const [started] = await test.app.get(AccountImportRepository).start(processes.slice(0, 1));
    await test.app
      .get(AccountImportRepository)
      .fail([{ started: started!, endStatus: 'ERRORED', code: 'error', detail: 'Words.' }]);
    await later();
    expect(await sweeping.sweep(never)).toBe(2);
    expect(await idsIn('batch-95')).toEqual(idsOf(processes.slice(1)));
  });

  it('adds each job once when several sweeps run concurrently', async () => {
    for (let place = 0; place < 90; place += 1) await stored.inState('PENDING');
    await later();
    const missing = await Promise.all(Array.from({ length: 5 }, async () => sweeping.sweep(never)));
    const rest = await sweeping.sweep(never);
    expect(missing.reduce((sum, count) => sum + count, rest)).toBe(90);
    expect(new Set(await jobIds('waiting', 'prioritized')).size).toBe(90);
    expect(await test.app.get(Queues).countWaiting('account-imports')).toBe(90);
  });

  it('stops at the maximum queue depth, and the next sweep continues', async () => {
    for (let place = 0; place < 150; place += 1) await stored.inState('PENDING');
    await later();
    expect(await sweeping.sweep(never)).toBe(100);
    expect(await sweeping.sweep(never)).toBe(20);
    expect(await sweeping.sweep(() => true)).toBe(20);
    expect(await sweeping.sweep(never)).toBe(10);
    expect(await test.app.get(Queues).countWaiting('account-imports')).toBe(150);
  });

  it('stops after the current batch when the worker stops', async () => {
    for (let place = 0; place < 50; place += 1) await stored.inState('PENDING');
    await later();
    expect(await sweeping.sweep(() => true)).toBe(20);
  });
});
