import { type BatchedProcess, CONFIG, type Config, JobProducer, Queues } from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { account, testedBackends, until } from '@portage/testing';
import { scheduleAccount, StoredProcesses, useApplication } from '@portage/testing/application';
import { SweepImportProcesses } from '../processes/sweep-import-processes';
import { ScheduleAccounts } from './schedule-accounts';

interface StoredRow {
  id: string;
  number: string;
  batchId: string | null;
  supplier: string;
}

describe.each(testedBackends())('accounts that are accepted (%s)', (backend) => {
  const test = useApplication(backend);
  const stored = new StoredProcesses(test);

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

  /** Posts accounts together, as the collector of the API does. */
  const postAll = async (
    posted: readonly string[],
    taskParams: object = {},
    more: object = {},
    caller = test.caller,
    traceparent?: string,
  ) => {
    const results = await test.app.get(ScheduleAccounts).schedule(
      posted.map((number) => ({
        caller,
        body: { payload: account(number, more), task_params: taskParams },
        request: { traceparent, correlation: undefined },
      })),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };

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

  it('together share one statement and one job', async () => {
    await postAll(numbers(30));
    const processes = await rows();
    expect(processes).toHaveLength(30);
    expect(await jobs()).toEqual(expectedJobs(processes));
    expect((await jobs()).size).toBe(1);
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
      postAll(numbers(8)),
      postAll(numbers(8, 'O'), {}, { import_supplier: supplier }, other),
    ]);
    const processes = await rows();
    expect(await jobs()).toEqual(expectedJobs(processes));
    const batches = new Map<string, Set<string>>();
    for (const { batchId, supplier: code } of processes)
      if (batchId !== null) batches.set(batchId, (batches.get(batchId) ?? new Set()).add(code));
    expect(batches.size).toBe(2);
    for (const codes of batches.values()) expect(codes.size).toBe(1);
    const found = await queue().getJobs(['waiting', 'prioritized']);
    for (const { data } of found) {
      const { organisationId, supplier: code } = data as { organisationId: number; supplier: string };
      expect(organisationId).toBe(code === supplier ? id : test.organisationId);
    }
  });

  it('again are not in the job of the others', async () => {
    const before = numbers(5);
    await postAll(before);
    await queue().obliterate({ force: true });
    await postAll([...before, ...numbers(10, 'N')]);
    const processes = (await rows()).filter(({ number }) => number.startsWith('N'));
    expect(await jobs()).toEqual(expectedJobs(processes));
  });

  it('accounts with one schedule window share a job that is added when it opens', async () => {
    const schedule_window_start = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    await postAll(numbers(4));
    await postAll(numbers(4, 'W'), { schedule_window_start });
    const processes = await rows();
    const later = processes.filter(({ number }) => number.startsWith('W'));
    expect(await jobs()).toEqual(expectedJobs(processes.filter((process) => !later.includes(process))));
    expect(new Set(later.map(({ batchId }) => batchId)).size).toBe(1);
    await test.sql(
      `UPDATE import_process SET schedule_window_start = opened, enqueued_at = opened
       FROM (SELECT now() - interval '1 second') start (opened) WHERE schedule_window_start IS NOT NULL`,
    );
    await test.app.get(SweepImportProcesses).sweep(() => false);
    expect(await jobs()).toEqual(expectedJobs(processes));
  });

  it('are accepted while the queue is away, and swept into one job for each batch', async () => {
    jest.spyOn(test.app.get(JobProducer), 'add').mockResolvedValue(false);
    await postAll(numbers(20));
    expect((await jobs()).size).toBe(0);
    expect(await sweepLater()).toBe(20);
    expect(await jobs()).toEqual(expectedJobs(await rows()));
  });

  it('pass the span of each request on to the job that they share', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await postAll(numbers(6), {}, {}, test.caller, traceparent);
    const found = await queue().getJobs(['waiting', 'prioritized']);
    const shared = found.flatMap(({ data }) => (data as { processes?: BatchedProcess[] }).processes ?? []);
    expect(shared).toHaveLength(6);
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
    const posts = [numbers(10), numbers(10, 'M')].map(async (list) =>
      postAll(list).then(() => (answered += 1)),
    );
    await until(async () => (await rows()).length === 20, 'the accounts were not stored');
    expect(answered).toBe(0);
    release();
    await Promise.all(posts);
    expect(await jobs()).toEqual(expectedJobs(await rows()));
  });

  it('are stored one by one if the database refuses one of them, and the others are accepted', async () => {
    await stored.sql(`
      CREATE FUNCTION refuse_process() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused by the database'; END $$;
      CREATE TRIGGER refuse_process BEFORE INSERT ON import_process FOR EACH ROW
        WHEN (NEW.external_account_number = 'refused') EXECUTE FUNCTION refuse_process()`);
    const bodies = [...numbers(5), 'refused', 'last'].map((number) => account(number));
    const results = await test.app
      .get(ScheduleAccounts)
      .schedule(bodies.map((body) => ({ caller: test.caller, body })));
    await stored.sql('DROP TRIGGER refuse_process ON import_process; DROP FUNCTION refuse_process()');
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'fulfilled'),
      'rejected',
      'fulfilled',
    ]);
    const processes = await rows();
    expect(processes.map(({ number }) => number)).toEqual([...numbers(5), 'last']);
    expect(await jobs()).toEqual(expectedJobs(processes));
    expect(await sweepLater()).toBe(0);
  });

  it('the second account with an external identifier is refused', async () => {
    const results = await test.app.get(ScheduleAccounts).schedule(
      ['I-1', 'I-2', 'I-3'].map((number) => ({
        caller: test.caller,
        body: account(number, number === 'I-3' ? {} : { external_identifier: 'same' }),
      })),
    );
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'external_identifier_already_exists' } },
      { status: 'fulfilled' },
    ]);
    expect((await rows()).map(({ number }) => number)).toEqual(['I-1', 'I-3']);
  });
});
