import { CONFIG, type Config } from '@portage/config';
import { Tracing } from '@portage/observability';
import { type BatchedProcess, JobProducer, Queues } from '@portage/queues';
import { account, testedBackends, until } from '@portage/testing';
import {
  scheduleAccount,
  startApplication,
  StoredProcesses,
  type TestApplication,
} from '@portage/testing/application';
import { Organisations } from '../access/organisations';
import { SweepImportProcesses } from '../import-process/sweep-import-processes';
import { ImportSuppliers } from '../suppliers/import-suppliers';

interface StoredRow {
  id: string;
  number: string;
  batchId: string | null;
  supplier: string;
}

describe.each(testedBackends())('accounts that are posted one by one (%s)', (backend) => {
  let test: TestApplication;
  let stored: StoredProcesses;

  beforeAll(async () => {
    test = await startApplication(backend);
    stored = new StoredProcesses(test);
  });
  afterAll(async () => {
    await test.app.close();
  });
  beforeEach(async () => {
    await stored.removeAll();
    await queue().obliterate({ force: true });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const queue = () => test.app.get(Queues).get('account-imports');

  const post = async (number: string, taskParams: object = {}, more: object = {}, caller = test.caller) =>
    scheduleAccount(test, caller, { payload: account(number, more), task_params: taskParams });

  const numbers = (count: number, prefix = 'B') =>
    Array.from({ length: count }, (_, place) => `${prefix}-${place}`);

  const rows = async () =>
    stored.sql<StoredRow>(
      `SELECT process.id, external_account_number AS number, batch_id AS "batchId", supplier.code AS supplier
       FROM import_process process JOIN import_supplier supplier ON supplier.id = supplier_id ORDER BY process.id`,
    );

  /** The jobs of the queue: the account numbers of each, by its id. */
  async function jobs(): Promise<Map<string, string[]>> {
    const found = await queue().getJobs(['waiting', 'prioritized', 'delayed']);
    return new Map(
      found.map(({ id, data }) => {
        const { processes, externalAccountNumber } = data as {
          processes?: BatchedProcess[];
          externalAccountNumber?: string;
        };
        const names = processes?.map((process) => process.externalAccountNumber) ?? [
          externalAccountNumber ?? '',
        ];
        return [String(id), names.sort()];
      }),
    );
  }

  /** The jobs that the rows call for: one for each batch of several accounts, and one for each other account. */
  function expectedJobs(processes: readonly StoredRow[]): Map<string, string[]> {
    const expected = new Map<string, string[]>();
    for (const { id, number, batchId } of processes) {
      const members = processes.filter((other) => batchId !== null && other.batchId === batchId);
      expected.set(
        members.length > 1 ? `batch-${batchId}` : `process-${id}-1`,
        members.length > 1 ? members.map((member) => member.number).sort() : [number],
      );
    }
    return expected;
  }

  async function sweepLater(): Promise<number> {
    const after = test.app.get<Config>(CONFIG).SWEEP_AFTER_MS + 1_000;
    await stored.sql(
      `UPDATE import_process SET enqueued_at = enqueued_at - make_interval(secs => $1 / 1000.0)
       WHERE enqueued_at <= now()`,
      [after],
    );
    return test.app.get(SweepImportProcesses).sweep(() => false);
  }

  it('concurrently share one job for each statement that has stored them, and no job is missing', async () => {
    await Promise.all(numbers(30).map(async (number) => post(number)));
    const processes = await rows();
    expect(processes).toHaveLength(30);
    expect(await jobs()).toEqual(expectedJobs(processes));
    // Thirty accounts; a busy machine makes a few statements more.
    expect((await jobs()).size).toBeLessThan(12);
    expect(await sweepLater()).toBe(0);
  });

  it('alone have jobs of their own', async () => {
    for (const number of numbers(3)) await post(number);
    const processes = await rows();
    expect(processes.map(({ batchId }) => batchId)).toEqual([null, null, null]);
    expect([...(await jobs()).keys()].sort()).toEqual(processes.map(({ id }) => `process-${id}-1`).sort());
  });

  it('never share a job with those of another supplier or organisation', async () => {
    const { id } = await test.app.get(Organisations).create(`Other ${backend}`);
    const supplier = `OTHER_${backend.toUpperCase()}`;
    await test.app.get(ImportSuppliers).create(supplier, `Other ${backend}`, {});
    const other = { organisationId: id, actor: 'api-key:other' };
    await Promise.all([
      ...numbers(8).map(async (number) => post(number)),
      ...numbers(8, 'O').map(async (number) => post(number, {}, { import_supplier: supplier }, other)),
    ]);
    const processes = await rows();
    expect(await jobs()).toEqual(expectedJobs(processes));
    const batches = new Map<string, Set<string>>();
    for (const { batchId, supplier: code } of processes)
      if (batchId !== null) batches.set(batchId, (batches.get(batchId) ?? new Set()).add(code));
    expect(batches.size).toBeGreaterThanOrEqual(2);
    for (const codes of batches.values()) expect(codes.size).toBe(1);
    const found = await queue().getJobs(['waiting', 'prioritized']);
    for (const { data } of found) {
      const { organisationId, supplier: code } = data as { organisationId: number; supplier: string };
      expect(organisationId).toBe(code === supplier ? id : test.organisationId);
    }
  });

  it('again are not in the job of the others', async () => {
    const before = numbers(5);
    await Promise.all(before.map(async (number) => post(number)));
    await queue().obliterate({ force: true });
    await Promise.all([...before, ...numbers(10, 'N')].map(async (number) => post(number)));
    const processes = (await rows()).filter(({ number }) => number.startsWith('N'));
    expect(await jobs()).toEqual(expectedJobs(processes));
  });

  it('with a schedule window have delayed jobs of their own', async () => {
    const schedule_window_start = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    await Promise.all([
      ...numbers(4).map(async (number) => post(number)),
      ...numbers(4, 'W').map(async (number) => post(number, { schedule_window_start })),
    ]);
    const processes = await rows();
    expect(await jobs()).toEqual(expectedJobs(processes));
    for (const { id, number, batchId } of processes.filter((row) => row.number.startsWith('W'))) {
      expect([number, batchId]).toEqual([number, null]);
      expect(await queue().getJobState(`process-${id}-1`)).toBe('delayed');
    }
  });

  it('are accepted while the queue is away, and swept into one job for each batch', async () => {
    jest.spyOn(test.app.get(JobProducer), 'add').mockResolvedValue(false);
    await Promise.all(numbers(20).map(async (number) => post(number)));
    expect((await jobs()).size).toBe(0);
    expect(await sweepLater()).toBe(20);
    expect(await jobs()).toEqual(expectedJobs(await rows()));
  });

  it('pass the span of each request on to the job that they share', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    jest.replaceProperty(test.app.get(Tracing), 'traceparent', traceparent);
    await Promise.all(numbers(6).map(async (number) => post(number)));
    const found = await queue().getJobs(['waiting', 'prioritized']);
    const shared = found.flatMap(({ data }) => (data as { processes?: BatchedProcess[] }).processes ?? []);
    expect(shared.length).toBeGreaterThanOrEqual(2);
    for (const process of shared) expect(process.traceparent).toBe(traceparent);
  });

  it('are answered only after the attempt to enqueue their job', async () => {
    const producer = test.app.get(JobProducer);
    const add = producer.add.bind(producer);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    jest.spyOn(producer, 'add').mockImplementation(async (...added) => {
      await held;
      return add(...added);
    });
    let answered = 0;
    const posts = numbers(10).map(async (number) => post(number).then(() => (answered += 1)));
    await until(
      async () => (await rows()).length === 10,
      10_000,
      () => 'the accounts were not stored',
    );
    expect(answered).toBe(0);
    release();
    await Promise.all(posts);
    expect(await jobs()).toEqual(expectedJobs(await rows()));
  });
});
