import type { INestApplicationContext } from '@nestjs/common';
import {
  AccountImportRepository,
  ImportAccounts,
  type ImportOutcome,
  SteerImportProcesses,
  SweepImportProcesses,
  ImportMetrics,
} from '@portage/imports';
import {
  batchJobId,
  DatabaseUnavailable,
  importAccountJob,
  importAccountsJob,
  JobProducer,
  Metrics,
  QueueDepth,
  Queues,
  queueSettings,
  Tracing,
} from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { staysTrue, type TestedBackend, testedBackends, until } from '@portage/testing';
import { type StoredProcess, StoredProcesses } from '@portage/testing/application';
import type { Worker } from 'bullmq';
import { startWorker } from '../../test/worker-under-test';
import { ConsumerLiveness } from '../health/consumer-liveness';
import { AccountImportsProcessor } from './account-imports.processor';

const BATCH = '9000000001';

/** Batches that a worker imports at the same time. */
const CONCURRENCY = Number(queueSettings['account-imports'].concurrency);

/** The worker application with a supplier LEGACY. */
async function start(
  backend: TestedBackend,
): Promise<{ app: INestApplicationContext; stored: StoredProcesses }> {
  const { app } = await startWorker(backend, { JOB_LOCK_MS: '3000' });
  await app.get(Organisations).create('Supplier Ltd');
  const supplier = await app.get(ImportSuppliers).create('LEGACY', 'Supplier Ltd', {});
  return { app, stored: new StoredProcesses({ app, supplier }) };
}

describe.each(testedBackends())('a batch, with the queue in %s', (backend) => {
  let app: INestApplicationContext;
  let stored: StoredProcesses;

  beforeAll(async () => {
    ({ app, stored } = await start(backend));
  });
  afterAll(async () => {
    await app.close();
  });
  beforeEach(async () => {
    await stored.removeAll();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    releaseHeld();
    const { worker } = app.get(AccountImportsProcessor);
    if (worker.isPaused()) await worker.resume();
    for (const job of await queue().getJobs()) await job.remove();
  });

  const queue = () => app.get(Queues).get('account-imports');
  const worker = () => app.get(AccountImportsProcessor).worker;

  const storeBatch = async (count: number): Promise<StoredProcess[]> =>
    Promise.all(Array.from({ length: count }, async () => stored.inState('PENDING')));

  const inJob = ({ processId, version, number }: StoredProcess) => ({
    processId,
    version,
    externalAccountNumber: number,
  });

  const jobOf = (processes: readonly StoredProcess[], batchId = BATCH) =>
    importAccountsJob({
      organisationId: 1,
      supplier: 'LEGACY',
      submissionId: '1',
      batchId,
      processes: processes.map(inJob),
    });

  /** On a busy machine the producer gives up after a second. */
  const add = async (...jobs: ReturnType<typeof jobOf>[]) =>
    until(async () => app.get(JobProducer).add('account-imports', jobs), 'the jobs were not added');

  async function isEmpty(): Promise<void> {
    const unfinished = ['active', 'waiting', 'prioritized', 'delayed'] as const;
    await until(
      async () => Object.values(await queue().getJobCounts(...unfinished)).every((count) => count === 0),
      'jobs are left',
    );
  }

  /** The rows of all processes: status, error and attempt by external account number. */
  const states = async () =>
    stored.sql<{ number: string; status: string; attempt: number; code: string | null; accounts: number }>(
      `SELECT external_account_number AS number, status, attempt, error_code AS code,
         (SELECT count(*)::int FROM account WHERE process_id = process.id) AS accounts
       FROM import_process process ORDER BY id`,
    );

  const stateOf = async ({ number }: StoredProcess) =>
    (await states()).find((state) => state.number === number);

  it('imports each account once, in two statements, and its job is completed', async () => {
    const processes = await storeBatch(64);
    const imports = app.get(AccountImportRepository);
    const statements = [jest.spyOn(imports, 'read'), jest.spyOn(imports, 'create')];
    await add(jobOf(processes));
    await isEmpty();
    for (const state of await states())
      expect(state).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    for (const { mock } of statements) expect(mock.calls).toHaveLength(1);
    expect(await queue().getJobState(batchJobId(BATCH))).toBe('completed');
    const outcomes = await app.get(ImportMetrics).imports.get();
    expect(outcomes.values.find(({ labels }) => labels['outcome'] === 'processed')?.value).toBe(64);
  });

  it('costs the other accounts nothing if one ends with an error, which shows as a failed job of its own', async () => {
    const countOf = async (outcome: string) =>
      (await app.get(ImportMetrics).imports.get()).values.find(({ labels }) => labels['outcome'] === outcome)
        ?.value ?? 0;
    const counted = { errored: await countOf('errored'), outdated: await countOf('outdated') };
    const good = await storeBatch(10);
    const bad = await stored.inState('PENDING', { payload: '{"external_account_number":"bad"}' });
    await add(jobOf([...good.slice(0, 5), bad, ...good.slice(5)]));
    await isEmpty();
    const state = await stateOf(bad);
    expect(state).toMatchObject({ status: 'ERRORED', attempt: 1, accounts: 0 });
    for (const process of good)
      expect(await stateOf(process)).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    const failed = await queue().getJobs(['failed']);
    expect(failed.map(({ id, name, failedReason }) => ({ id, name, failedReason }))).toEqual([
      { id: `process-${bad.processId}-1`, name: 'import-account', failedReason: state!.code },
    ]);
    // The failed job shows the error, and imports nothing.
    expect(await countOf('errored')).toBe(counted.errored + 1);
    expect(await countOf('outdated')).toBe(counted.outdated);
  });

  it('gives an account that fails for a passing reason attempts of its own', async () => {
    const processes = await storeBatch(12);
    const unlucky = processes[4]!;
    const imports = app.get(AccountImportRepository);
    const create = imports.create.bind(imports);
    let failures = 0;
    jest.spyOn(imports, 'create').mockImplementation(async (creations) => {
      // The statement of the batch, and then the one of the account.
      if (failures < 2 && creations.some(({ started }) => started.processId === unlucky.processId)) {
        failures += 1;
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      }
      return create(creations);
    });
    await add(jobOf(processes));
    await isEmpty();
    expect(failures).toBe(2);
    expect(await stateOf(unlucky)).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    for (const state of (await states()).filter(({ number }) => number !== unlucky.number))
      expect(state).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
  });

  it('is taken again after its worker has died, and only unfinished accounts are worked on', async () => {
    await worker().pause();
    const [processed, errored, begun, waiting] = await Promise.all([
      stored.inState('PROCESSED'),
      stored.inState('ERRORED'),
      stored.inState('IN_PROGRESS'),
      stored.inState('PENDING'),
    ]);
    await add(jobOf([processed, errored, begun, waiting]));
    // A worker that takes the job, does not renew its lock, and never ends it.
    let isTaken = false;
    const ConfiguredWorker = worker().constructor as new (
      name: string,
      process: () => Promise<void>,
      options: object,
    ) => Worker;
    const dead = new ConfiguredWorker(
      'account-imports',
      async () => {
        isTaken = true;
        return new Promise<never>(() => undefined);
      },
      { connection: queue().opts.connection, skipLockRenewal: true, lockDuration: 1_000 },
    );
    void dead.run();
    await until(() => isTaken, 'the job was not taken');
    await dead.close(true);
    await worker().resume();
    await isEmpty();
    expect(await stateOf(processed)).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    expect(await stateOf(errored)).toMatchObject({ status: 'ERRORED', attempt: 1 });
    expect(await stateOf(begun)).toMatchObject({ status: 'PROCESSED', attempt: 2, accounts: 1 });
    expect(await stateOf(waiting)).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    const failed = await queue().getJobs(['failed']);
    expect(failed.map(({ id, failedReason }) => [id, failedReason])).toEqual([
      [`process-${errored.processId}-1`, 'error'],
    ]);
  });

  it('imports each account once although it was enqueued twice, and as single jobs as well', async () => {
    await worker().pause();
    const processes = await storeBatch(20);
    const single = processes.map((process) =>
      importAccountJob({ ...inJob(process), organisationId: 1, supplier: 'LEGACY' }),
    );
    await add(jobOf(processes), ...single.slice(0, 10), jobOf(processes, '9000000002'), ...single.slice(10));
    await worker().resume();
    await isEmpty();
    for (const state of await states()) expect(state).toMatchObject({ status: 'PROCESSED', accounts: 1 });
    const events = await stored.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM import_process_event WHERE event = 'PROCESSED'`,
    );
    expect(events).toEqual([{ count: 20 }]);
  });

  it('imports each account in the trace of its own request', async () => {
    const processes = await storeBatch(3);
    const spans = jest.spyOn(app.get(Tracing), 'inChildSpan');
    const { id, payload, ...job } = jobOf(processes);
    const traced = processes.map((process, place) => ({
      ...inJob(process),
      traceparent: `00-trace-${place}`,
    }));
    await app
      .get(JobProducer)
      .add('account-imports', [{ ...job, id, payload: { ...payload, processes: traced } }]);
    await isEmpty();
    const parents = spans.mock.calls.flatMap(([name, { parent }]) =>
      name === 'import account' ? [parent] : [],
    );
    expect(parents.toSorted()).toEqual(traced.map(({ traceparent }) => traceparent));
    for (const state of await states()) expect(state).toMatchObject({ status: 'PROCESSED', accounts: 1 });
  });

  /** Lets go the batches that wait, and with `isOpen` those that follow. */
  let held: { isOpen: boolean; releases: (() => void)[] } = { isOpen: true, releases: [] };
  function releaseHeld(): void {
    held.isOpen = true;
    for (const release of held.releases) release();
  }

  /** Holds every batch that the worker begins with, until it is released. */
  function holdImports() {
    const begun: string[][] = [];
    const holding: typeof held = { isOpen: false, releases: [] };
    held = holding;
    jest.spyOn(app.get(ImportAccounts), 'import').mockImplementation(async (versions) => {
      begun.push(versions.map(({ processId }) => processId));
      if (!holding.isOpen) await new Promise<void>((resolve) => holding.releases.push(resolve));
      return versions.map(() => ({ kind: 'processed' }));
    });
    const areBegun = async (count: number) =>
      until(
        () => begun.length === count,
        () => `${begun.length} batches were begun`,
      );
    return { begun, areBegun, releaseFirst: () => holding.releases.shift()?.() };
  }

  it('starts before uploads that wait if it was sent one by one', async () => {
    const uploads = await Promise.all(Array.from({ length: CONCURRENCY + 2 }, async () => storeBatch(64)));
    const posted = await storeBatch(10);
    const { begun, areBegun, releaseFirst } = holdImports();
    // Added together: an empty queue between two of them would let each begin a round of its own.
    await add(...uploads.map((processes, place) => jobOf(processes, String(place))));
    await areBegun(CONCURRENCY);
    await add(
      importAccountsJob({
        organisationId: 1,
        supplier: 'LEGACY',
        batchId: '77',
        processes: posted.map(inJob),
      }),
    );
    releaseFirst();
    await areBegun(CONCURRENCY + 1);
    expect(begun[CONCURRENCY]).toEqual(posted.map(({ processId }) => processId));
    releaseHeld();
    await isEmpty();
    expect(begun).toHaveLength(uploads.length + 1);
  });

  it('is retried as a whole after it has failed, and each account is imported once', async () => {
    const processes = await storeBatch(20);
    const unavailable = jest.spyOn(app.get(ImportAccounts), 'import').mockImplementation(async (versions) => {
      const error = new DatabaseUnavailable('The database is away.');
      return Promise.resolve(versions.map((): ImportOutcome => ({ kind: 'interrupted', error })));
    });
    const { id, name, payload } = jobOf(processes);
    // Its last attempt.
    await queue().add(name, payload, { jobId: id, attempts: 1 });
    await until(async () => (await queue().getFailedCount()) === 1, 'the job has not failed');
    unavailable.mockRestore();
    for (const state of await states()) expect(state).toMatchObject({ status: 'PENDING', accounts: 0 });
    const job = await queue().getJob(id);
    expect(job?.failedReason).toBe('unavailable');
    await job?.retry('failed');
    await isEmpty();
    for (const state of await states())
      expect(state).toMatchObject({ status: 'PROCESSED', attempt: 1, accounts: 1 });
    expect(await queue().getFailedCount()).toBe(0);
  });

  it('is retried by its operator once its accounts have ended with an error, and each is imported once', async () => {
    const processes = await storeBatch(20);
    const suppliers = app.get(ImportSuppliers);
    await suppliers.setStatus('LEGACY', 'Complete');
    try {
      await add(jobOf(processes));
      await isEmpty();
    } finally {
      await suppliers.setStatus('LEGACY', 'Ongoing');
    }
    for (const state of await states()) expect(state).toMatchObject({ status: 'ERRORED', accounts: 0 });
    const retried = await app
      .get(SteerImportProcesses)
      .steer('retry', { supplier: 'LEGACY', errorCode: 'import_supplier_migration_not_ongoing' });
    expect(retried).toMatchObject({ steered: 20, withoutJob: 0 });
    await isEmpty();
    for (const state of await states()) expect(state).toMatchObject({ status: 'PROCESSED', accounts: 1 });
  });

  it('is held while its supplier is paused, without jobs that wait or fail, and imported afterwards', async () => {
    const processes = await storeBatch(20);
    const suppliers = app.get(ImportSuppliers);
    await suppliers.setStatus('LEGACY', 'Paused');
    try {
      await add(jobOf(processes));
      await isEmpty();
      for (const state of await states())
        expect(state).toMatchObject({ status: 'PENDING', attempt: 0, accounts: 0 });
      expect(await queue().getJobs(['failed'])).toEqual([]);
      const outcomes = await app.get(ImportMetrics).imports.get();
      expect(outcomes.values.find(({ labels }) => labels['outcome'] === 'held')?.value).toBe(20);
      // Held accounts do not age in the metric that autoscalers read.
      await new QueueDepth(app.get(Queues), app.get(Metrics), 60_000).observe();
      const ages = (await app.get(Metrics).oldestWaiting.get()).values;
      expect(ages.find(({ labels }) => labels['queue'] === 'account-imports')?.value).toBe(0);
    } finally {
      await suppliers.setStatus('LEGACY', 'Ongoing');
    }
    await stored.sql("UPDATE import_process SET enqueued_at = now() - interval '1 hour'");
    // The worker sweeps as well.
    await app.get(SweepImportProcesses).sweep(() => false);
    await until(
      async () => (await states()).every(({ status }) => status === 'PROCESSED'),
      'held accounts were not imported',
    );
    for (const state of await states()) expect(state).toMatchObject({ attempt: 1, accounts: 1 });
  });

  it('is left to other workers while this one imports others, and the worker is alive meanwhile', async () => {
    const batches = await Promise.all(Array.from({ length: CONCURRENCY + 2 }, async () => storeBatch(8)));
    const { begun, areBegun } = holdImports();
    await add(...batches.map((processes, place) => jobOf(processes, String(place))));
    await areBegun(CONCURRENCY);
    await staysTrue(() => begun.length === CONCURRENCY && app.get(ConsumerLiveness).stuck.length === 0, 300);
    expect(await queue().getActiveCount()).toBe(CONCURRENCY);
    releaseHeld();
    await isEmpty();
    expect(begun).toHaveLength(batches.length);
  });
});
