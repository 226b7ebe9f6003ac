import { AccountImportRepository, Database, type ProcessVersion } from '@portage/database';
import { DataSource } from 'typeorm';
import { account } from '@portage/testing';
import { newAccountWith, startApplication, type TestApplication } from '@portage/testing/application';
import { SteerImportProcesses } from '../import-process/steer-import-processes';
import { ImportSuppliers } from '../suppliers/import-suppliers';
import { ImportAccounts } from './import-accounts';
import { ScheduleAccount } from './schedule-account';

describe('processing an import', () => {
  let test: TestApplication;
  let run: ImportAccounts;
  let next = 0;

  beforeAll(async () => {
    test = await startApplication();
    run = test.app.get(ImportAccounts);
  });
  afterAll(async () => {
    await test.app.close();
  });

  async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return test.app.get(DataSource).query<Row[]>(text, values);
  }

  /** A process that is PENDING, and the job that points at it. */
  async function scheduled(
    more: object = {},
    taskParams: object = {},
  ): Promise<ProcessVersion & { number: string }> {
    const number = `P-${next++}`;
    const body = { payload: account(number, more), task_params: taskParams };
    await test.app.get(ScheduleAccount).schedule(test.caller, body);
    const [row] = await sql<ProcessVersion>(
      'SELECT id AS "processId", version FROM import_process WHERE external_account_number = $1',
      [number],
    );
    return { ...row!, number };
  }

  async function stateOf({ processId }: ProcessVersion) {
    const [row] = await sql<{ status: string; error_code: string | null; accounts: number }>(
      `SELECT status, error_code, (SELECT count(*)::int FROM account WHERE process_id = process.id) AS accounts
       FROM import_process process WHERE id = $1`,
      [processId],
    );
    return row;
  }

  it('creates the account once: the same job again does nothing', async () => {
    const job = await scheduled();
    expect(await run.run(job, false)).toEqual({ kind: 'processed' });
    expect(await run.run(job, false)).toEqual({ kind: 'outdated' });
    expect(await stateOf(job)).toEqual({ status: 'PROCESSED', error_code: null, accounts: 1 });
  });

  it.each([
    ['direct', { is_dry_run: false }, 'processed'],
    ['rehearsed', { is_dry_run: true }, 'dry-run-succeeded'],
  ])(
    'gives each of a hundred concurrent jobs that share statements its own outcome (%s)',
    async (name, taskParams, kind) => {
      const taken = (reference: string) => ({ references: [{ namespace: name, value: reference }] });
      await run.run(await scheduled(taken('first')), false);
      const good = await Promise.all(Array.from({ length: 98 }, async () => scheduled({}, taskParams)));
      // The lookups find the reference free; the unique constraint is violated within one statement.
      const same = await Promise.all([
        scheduled(taken('same'), taskParams),
        scheduled(taken('same'), taskParams),
      ]);
      const jobs = [...good.slice(0, 30), same[0], ...good.slice(30, 31), same[1], ...good.slice(31)];
      const outcomes = await Promise.all(jobs.map(async (job) => run.run(job, false)));
      const ends = new Map(jobs.map((job, index) => [job, outcomes[index]]));
      expect(good.map((job) => ends.get(job)?.kind)).toEqual(Array.from({ length: 98 }, () => kind));
      const ofSame = same.map((job) => ends.get(job)?.kind).sort();
      expect(ofSame).toEqual(taskParams.is_dry_run ? [kind, kind] : ['errored', 'processed']);
    },
  );

  it('does nothing for a job of an earlier version', async () => {
    const job = await scheduled();
    expect(await run.run({ ...job, version: 0 }, false)).toEqual({ kind: 'outdated' });
    expect(await stateOf(job)).toMatchObject({ status: 'PENDING' });
  });

  it('creates one account if ten workers have the same job', async () => {
    const job = await scheduled();
    const outcomes = await Promise.all(Array.from({ length: 10 }, async () => run.run(job, false)));
    expect(outcomes.filter(({ kind }) => kind === 'processed')).toHaveLength(1);
    expect(await stateOf(job)).toEqual({ status: 'PROCESSED', error_code: null, accounts: 1 });
  });

  it('writes nothing for a worker whose job another worker has started again', async () => {
    const job = await scheduled();
    const imports = test.app.get(AccountImportRepository);
    const [late] = await imports.start([job]);
    const [later] = await imports.start([job]);
    expect([late!.attempt, later!.attempt]).toEqual([1, 2]);
    expect(await imports.create([{ started: late!, account: newAccountWith('A-00000001') }])).toEqual([
      { kind: 'outdated' },
    ]);
    expect(await imports.fail({ ...late!, status: 'ERRORED', code: 'x', detail: 'x' })).toBe(false);
    expect(await stateOf(job)).toEqual({ status: 'IN_PROGRESS', error_code: null, accounts: 0 });
    expect(await imports.create([{ started: later!, account: newAccountWith('A-00000001') }])).toEqual([
      {
        kind: 'created',
        account: { accountId: expect.any(String), documentIds: [], hasWelcomeEmail: false },
      },
    ]);
  });

  it('creates several accounts in one statement, or none of them', async () => {
    const jobs = [await scheduled(), await scheduled(), await scheduled()];
    const imports = test.app.get(AccountImportRepository);
    const started = await imports.start(jobs);
    const batch = started.map((one, index) => ({
      started: one,
      account: newAccountWith(`A-1000000${index}`),
    }));
    const clashing = batch.map((one) => ({ ...one, account: { ...one.account, number: 'A-20000000' } }));
    await expect(imports.create(clashing)).rejects.toMatchObject({ code: '23505' });
    expect(await stateOf(jobs[0]!)).toMatchObject({ status: 'IN_PROGRESS', accounts: 0 });
    const created = await imports.create(batch);
    expect(created.map(({ kind }) => kind)).toEqual(['created', 'created', 'created']);
    for (const job of jobs) expect(await stateOf(job)).toMatchObject({ status: 'PROCESSED', accounts: 1 });
  });

  it('leaves nothing behind in a dry run', async () => {
    const job = await scheduled({}, { is_dry_run: true });
    expect(await run.run(job, false)).toEqual({ kind: 'dry-run-succeeded' });
    expect(await stateOf(job)).toEqual({ status: 'DRY_RUN_SUCCEEDED', error_code: null, accounts: 0 });
  });

  it('reports breaches of database rules in a dry run', async () => {
    const references = [{ namespace: 'portal', value: 'W-1' }];
    const first = await scheduled({ references });
    const second = await scheduled({ references }, { is_dry_run: true });
    expect(await run.run(first, false)).toEqual({ kind: 'processed' });
    expect(await run.run(second, false)).toEqual({ kind: 'errored', code: 'reference_already_exists' });
    expect(await stateOf(second)).toMatchObject({
      status: 'DRY_RUN_ERRORED',
      error_code: 'reference_already_exists',
    });
  });

  it('creates a staged account after its release', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'staged' });
    const job = await scheduled();
    expect(await run.run(job, false)).toEqual({ kind: 'dry-run-succeeded' });
    await test.app.get(SteerImportProcesses).steerOne('release', 'LEGACY', job.number);
    expect(await run.run({ ...job, version: 2 }, false)).toEqual({ kind: 'processed' });
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'dry-run-first' });
    expect(await run.run(await scheduled(), false)).toEqual({ kind: 'processed' });
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'direct' });
  });

  it('fails if the supplier was paused after scheduling', async () => {
    const job = await scheduled();
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Paused');
    expect(await run.run(job, false)).toEqual({
      kind: 'errored',
      code: 'import_supplier_migration_not_ongoing',
    });
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
    expect(await stateOf(job)).toMatchObject({ status: 'ERRORED' });
  });

  it('does not start a process before its window opens, by the clock of the database', async () => {
    const job = await scheduled();
    await sql(`UPDATE import_process SET schedule_window_start = now() + interval '1 minute' WHERE id = $1`, [
      job.processId,
    ]);
    const outcome = await run.run(job, false);
    expect(outcome).toEqual({ kind: 'early', opensInMs: expect.any(Number) as number });
    const { opensInMs } = outcome as { opensInMs: number };
    expect(opensInMs).toBeGreaterThan(50_000);
    expect(opensInMs).toBeLessThanOrEqual(60_000);
    expect(await stateOf(job)).toMatchObject({ status: 'PENDING', accounts: 0 });
    await sql('UPDATE import_process SET schedule_window_start = now() WHERE id = $1', [job.processId]);
    expect(await run.run(job, false)).toEqual({ kind: 'processed' });
  });

  it('cancels a process that was not started within its window', async () => {
    const job = await scheduled();
    await sql(`UPDATE import_process SET schedule_window_end = now() - interval '1 second' WHERE id = $1`, [
      job.processId,
    ]);
    expect(await run.run(job, false)).toEqual({ kind: 'cancelled' });
    expect(await stateOf(job)).toEqual({ status: 'CANCELLED', error_code: null, accounts: 0 });
  });

  it('throws transient failures for the queue to retry; the last attempt ends the process', async () => {
    const job = await scheduled();
    const database = test.app.get(Database);
    const real = database.run.bind(database);
    // The server reports a deadlock each time the account is about to be created.
    database.run = async (statement, values) => {
      if (statement.name === 'create-accounts')
        return real({ name: '', text: `DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$` }, []);
      return real(statement, values);
    };
    try {
      await expect(run.run(job, false)).rejects.toMatchObject({ code: '40P01' });
      expect(await stateOf(job)).toMatchObject({ status: 'IN_PROGRESS', accounts: 0 });
      expect(await run.run(job, true)).toEqual({ kind: 'errored', code: 'temporarily_unavailable' });
    } finally {
      database.run = real;
    }
    expect(await stateOf(job)).toMatchObject({ status: 'ERRORED', error_code: 'temporarily_unavailable' });
  });

  it('ends the process at once if a retry cannot succeed', async () => {
    const job = await scheduled();
    await sql(`ALTER TABLE customer ADD CONSTRAINT refuses CHECK (family_name <> 'Aldous') NOT VALID`);
    try {
      expect(await run.run(job, false)).toEqual({ kind: 'errored', code: 'error' });
    } finally {
      await sql('ALTER TABLE customer DROP CONSTRAINT refuses');
    }
    expect(await stateOf(job)).toEqual({ status: 'ERRORED', error_code: 'error', accounts: 0 });
  });
});
