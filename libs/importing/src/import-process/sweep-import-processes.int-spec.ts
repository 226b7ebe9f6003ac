import { CONFIG, type Config } from '@portage/config';
import { AccountImportRepository, StaleImportRepository } from '@portage/database';
import { Logger, Metrics } from '@portage/observability';
import { JobProducer, Queues } from '@portage/queues';
import { account, testedBackends } from '@portage/testing';
import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { ScheduleAccount } from '../account/schedule-account';
import { SweepImportProcesses } from './sweep-import-processes';

const never = () => false;

describe.each(testedBackends())('the sweep of import processes (%s)', (backend) => {
  let test: TestApplication;
  let stored: StoredProcesses;
  let sweeping: SweepImportProcesses;

  beforeAll(async () => {
    test = await startApplication(backend);
    stored = new StoredProcesses(test);
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
  afterAll(async () => {
    await test.app.close();
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

  async function post(number: string, schedule_window_start?: string): Promise<string> {
    const body = { payload: account(number), task_params: { schedule_window_start } };
    await test.app.get(ScheduleAccount).schedule(test.caller, body);
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
    expect([await jobIds('waiting', 'prioritized'), await jobIds('delayed')]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ]);
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

  it('adds a lost delayed job once its schedule window has opened, and not before', async () => {
    const opens = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const waiting = await post('waits', opens);
    await queue().obliterate({ force: true });
    await later();
    expect(await sweeping.sweep(never)).toBe(0);
    // The window has opened.
    await stored.sql(`UPDATE import_process SET enqueued_at = now() - interval '1 second' WHERE id = $1`, [
      waiting,
    ]);
    await later();
    expect(await sweeping.sweep(never)).toBe(1);
    expect(await jobIds('waiting', 'prioritized')).toEqual([`process-${waiting}-1`]);
  });

  it('adds the job of the latest version only', async () => {
    const id = await post('replaced');
    await test.app.get(ScheduleAccount).schedule(test.caller, account('replaced', { nickname: 'new' }));
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
