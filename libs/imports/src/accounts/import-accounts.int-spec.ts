import { AccountFollowUps } from '@portage/accounts';
import { Database, DatabaseUnavailable, Logger } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import { newAccountWith, processesOf, scheduleAccount, useApplication } from '@portage/testing/application';
import { AccountImportRepository } from './account-import.repository';
import { AccountNumbers } from './account-numbers';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { SteerImportProcesses } from '../processes/steer-import-processes';
import { ImportAccounts, type ImportRun } from './import-accounts';
import type { ImportOutcome } from './import-outcomes';

describe('processing an import', () => {
  const test = useApplication();
  let imports: ImportAccounts;
  let next = 0;

  beforeAll(() => {
    imports = test.app.get(ImportAccounts);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const statements = () => test.app.get(AccountImportRepository);

  /** A process that is PENDING, and the job that points at it. */
  async function scheduled(
    more: object = {},
    taskParams: object = {},
  ): Promise<ProcessVersion & { number: string }> {
    const number = `P-${next++}`;
    const body = { payload: account(number, more), task_params: taskParams };
    await scheduleAccount(test, test.caller, body);
    const [version] = await processesOf(test, number);
    return { ...version!, number };
  }

  /** Imports one version. */
  async function importOne(job: ProcessVersion, run?: ImportRun): Promise<ImportOutcome> {
    const [outcome] = await imports.import([job], run);
    return outcome!;
  }

  async function stateOf({ processId }: ProcessVersion) {
    const [row] = await test.sql<{ status: string; error_code: string | null; accounts: number }>(
      `SELECT status, error_code, (SELECT count(*)::int FROM account WHERE process_id = process.id) AS accounts
       FROM import_process process WHERE id = $1`,
      [processId],
    );
    return row;
  }

  it('creates the account once: the same job again does nothing', async () => {
    const job = await scheduled();
    expect(await importOne(job)).toEqual({ kind: 'processed' });
    expect(await importOne(job)).toEqual({ kind: 'outdated' });
    expect(await stateOf(job)).toEqual({ status: 'PROCESSED', error_code: null, accounts: 1 });
  });

  it.each([
    ['direct', { is_dry_run: false }, 'processed'],
    ['sent for a dry run', { is_dry_run: true }, 'dry-run-succeeded'],
  ])('gives each account of a batch its own outcome (%s)', async (name, taskParams, kind) => {
    const taken = (reference: string) => ({ references: [{ namespace: name, value: reference }] });
    const good = await Promise.all(Array.from({ length: 61 }, async () => scheduled({}, taskParams)));
    // The lookups find the reference free; the unique constraint is violated within one statement.
    const same = await Promise.all([
      scheduled(taken('same'), taskParams),
      scheduled(taken('same'), taskParams),
    ]);
    const jobs = [...good.slice(0, 30), same[0], ...good.slice(30, 31), same[1], ...good.slice(31)];
    const outcomes = await imports.import(jobs, { isFirstRun: true });
    const ends = new Map(jobs.map((job, index) => [job, outcomes[index]]));
    expect(good.map((job) => ends.get(job)?.kind)).toEqual(Array.from({ length: 61 }, () => kind));
    const ofSame = same.map((job) => ends.get(job)?.kind).sort();
    // One by one, a dry run of the second does not meet the first.
    expect(ofSame).toEqual(taskParams.is_dry_run ? [kind, kind] : ['errored', 'processed']);
  });

  it('imports the others of a batch if the database refuses one account, and records its error', async () => {
    const bad = await scheduled({
      customers: [{ given_name: 'Ida', family_name: 'Refused', email: 'ida@example.org' }],
    });
    const good = [await scheduled(), await scheduled(), await scheduled()];
    await test.sql(`ALTER TABLE customer ADD CONSTRAINT refuses CHECK (family_name <> 'Refused') NOT VALID`);
    try {
      expect(await imports.import([good[0]!, bad, good[1]!, good[2]!], { isFirstRun: true })).toEqual([
        { kind: 'processed' },
        { kind: 'errored', code: 'error' },
        { kind: 'processed' },
        { kind: 'processed' },
      ]);
    } finally {
      await test.sql('ALTER TABLE customer DROP CONSTRAINT refuses');
    }
    for (const job of good) expect(await stateOf(job)).toMatchObject({ status: 'PROCESSED', accounts: 1 });
    expect(await stateOf(bad)).toEqual({ status: 'ERRORED', error_code: 'error', accounts: 0 });
  });

  it('imports a batch in two statements in its first run, and in two again with a start if it is repeated', async () => {
    const run = jest.spyOn(test.app.get(Database), 'run');
    const namesOf = async (options: ImportRun) => {
      const jobs = [await scheduled(), await scheduled(), await scheduled()];
      run.mockClear();
      const outcomes = await imports.import(jobs, options);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['processed', 'processed', 'processed']);
      return run.mock.calls.map(([{ name }]) => name);
    };
    try {
      await namesOf({});
      expect(await namesOf({ isFirstRun: true })).toEqual(['read-imports', 'create-accounts']);
      expect(await namesOf({})).toEqual(['start-imports', 'create-accounts']);
    } finally {
      run.mockRestore();
    }
  });

  it('counts a first run as an attempt when it ends, of which suppliers see an event if it was no dry run', async () => {
    const jobs = [await scheduled(), await scheduled({}, { is_dry_run: true })];
    expect(await imports.import(jobs, { isFirstRun: true })).toEqual([
      { kind: 'processed' },
      { kind: 'dry-run-succeeded' },
    ]);
    const rows = await test.sql(
      `SELECT attempt, latest_event, latest_event_at = modified_at AS is_latest,
         ARRAY(SELECT event || ' ' || attempt FROM import_process_event WHERE process_id = id
           ORDER BY occurred_at) AS events
       FROM import_process WHERE id = ANY($1) ORDER BY id`,
      [jobs.map(({ processId }) => processId)],
    );
    expect(rows).toEqual([
      {
        attempt: 1,
        latest_event: 'PROCESSED',
        is_latest: true,
        events: ['SCHEDULED 0', 'PROCESSED 1'],
      },
      {
        attempt: 1,
        latest_event: 'CREATED',
        is_latest: false,
        events: ['SCHEDULED 0', 'DRY_RUN_SUCCEEDED 1'],
      },
    ]);
  });

  it('creates each account once if first and repeated runs of a batch are concurrent', async () => {
    const jobs = await Promise.all(Array.from({ length: 16 }, async () => scheduled()));
    const runs = [true, false, true, true, false, false].map(async (isFirstRun, index) =>
      // In another order each time.
      imports.import([...jobs.slice(index), ...jobs.slice(0, index)], { isFirstRun }),
    );
    const kinds = (await Promise.all(runs)).flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'processed')).toHaveLength(jobs.length);
    for (const job of jobs) expect(await stateOf(job)).toMatchObject({ status: 'PROCESSED', accounts: 1 });
  });

  it.each([
    [
      'a cancellation',
      'CANCELLED',
      async ({ number }: { number: string }) =>
        test.app.get(SteerImportProcesses).steerOne('cancel', 'LEGACY', number),
    ],
    [
      'another payload',
      'PENDING',
      async ({ number }: { number: string }) =>
        scheduleAccount(test, test.caller, {
          payload: account(number, { nickname: 'other' }),
          task_params: {},
        }),
    ],
    [
      'the start of a repeated run',
      'IN_PROGRESS',
      async (job: ProcessVersion) => test.app.get(AccountImportRepository).start([job]),
    ],
  ])('stores nothing for a process that was read before %s', async (_what, status, change) => {
    const repository = test.app.get(AccountImportRepository);
    const job = await scheduled();
    const other = await scheduled();
    const read = repository.read.bind(repository);
    jest.spyOn(repository, 'read').mockImplementationOnce(async (versions) => {
      const found = await read(versions);
      await change(job);
      return found;
    });
    expect(await imports.import([job, other], { isFirstRun: true })).toEqual([
      { kind: 'outdated' },
      { kind: 'processed' },
    ]);
    expect(await stateOf(job)).toEqual({ status, error_code: null, accounts: 0 });
  });

  it.each([true, false])(
    'does nothing for the job of an earlier version, beside one of the current version (first run: %s)',
    async (isFirstRun) => {
      const [old, other] = [await scheduled(), await scheduled()];
      for (const { number } of [old, other]) {
        const payload = account(number, { nickname: 'other' });
        await scheduleAccount(test, test.caller, { payload, task_params: {} });
      }
      expect(await imports.import([old, { ...other, version: 2 }], { isFirstRun })).toEqual([
        { kind: 'outdated' },
        { kind: 'processed' },
      ]);
      expect(await stateOf(old)).toEqual({ status: 'PENDING', error_code: null, accounts: 0 });
    },
  );

  it('starts in its first run only what another run has begun with', async () => {
    const [begun, other] = [await scheduled(), await scheduled()];
    await statements().start([begun]);
    const start = jest.spyOn(statements(), 'start');
    expect(await imports.import([begun, other], { isFirstRun: true })).toEqual([
      { kind: 'processed' },
      { kind: 'processed' },
    ]);
    expect(start.mock.calls).toEqual([[[begun]]]);
  });

  it('is outdated if a later attempt has taken over before its failure is stored', async () => {
    const job = await scheduled();
    jest.spyOn(statements(), 'create').mockImplementation(async () => {
      await statements().start([job]);
      throw new TypeError('x is not a function');
    });
    expect(await importOne(job)).toEqual({ kind: 'outdated' });
    expect(await stateOf(job)).toMatchObject({ status: 'IN_PROGRESS', error_code: null });
  });

  it('logs an unexpected failure with its process, and stores no detail of it', async () => {
    const job = await scheduled();
    const error = new TypeError('x is not a function');
    jest.spyOn(statements(), 'create').mockRejectedValue(error);
    const failure = jest.spyOn(test.app.get(Logger), 'error').mockReturnValue();
    expect(await importOne(job)).toEqual({ kind: 'errored', code: 'error' });
    const { processId, version } = job;
    expect(failure.mock.calls).toEqual([[expect.any(String), { processId, version, error }]]);
    const [row] = await test.sql('SELECT status, error_detail FROM import_process WHERE id = $1', [
      processId,
    ]);
    expect(row).toEqual({ status: 'ERRORED', error_detail: expect.not.stringContaining('function') });
  });

  it.each([
    [24, { kind: 'processed' }],
    [25, { kind: 'errored', code: 'error' }],
  ])('an import that was started %d times before ends with %j', async (attempt, outcome) => {
    const job = await scheduled();
    await test.sql(`UPDATE import_process SET status = 'IN_PROGRESS', attempt = $2 WHERE id = $1`, [
      job.processId,
      attempt,
    ]);
    expect(await importOne(job)).toEqual(outcome);
  });

  it('leaves a transient failure of the start to the queue, on the last attempt too', async () => {
    const job = await scheduled();
    const error = new DatabaseUnavailable('unreachable');
    jest.spyOn(statements(), 'start').mockRejectedValue(error);
    expect(await importOne(job, { isLastAttempt: true })).toEqual({ kind: 'interrupted', error });
    expect(await stateOf(job)).toMatchObject({ status: 'PENDING', error_code: null });
  });

  it('enqueues the follow-ups of a batch together, each in the trace of its request', async () => {
    const [one, other] = [await scheduled(), await scheduled()];
    const enqueue = jest.spyOn(test.app.get(AccountFollowUps), 'enqueue');
    await imports.import([{ ...one, traceparent: 'the trace of one' }, other]);
    const label = { organisationId: test.organisationId, supplier: 'LEGACY' };
    expect(enqueue.mock.calls).toMatchObject([
      [
        [
          { traceparent: 'the trace of one', label: { ...label, externalAccountNumber: one.number } },
          { traceparent: undefined, label: { ...label, externalAccountNumber: other.number } },
        ],
      ],
    ]);
  });

  it('gives each account of a batch the follow-ups of its own documents and its own e-mail', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    await suppliers.set('LEGACY', { sendMigrationEmails: true });
    try {
      const more = {
        customers: [
          { given_name: 'Ada', family_name: 'Byron', email: 'ada@example.org', portfolio_roles: ['ADMIN'] },
        ],
        notes: [{ body: 'Rang.', document_paths: [{ document_path: 'letter.pdf' }] }],
      };
      const jobs = [await scheduled(more), await scheduled()];
      const enqueue = jest.spyOn(test.app.get(AccountFollowUps), 'enqueue');
      await imports.import(jobs, { isFirstRun: true });
      const [batch] = enqueue.mock.calls[0]!;
      expect(batch.map(({ account: one }) => [one.documentIds.length, one.hasWelcomeEmail])).toEqual([
        [1, true],
        [0, false],
      ]);
    } finally {
      await suppliers.set('LEGACY', { sendMigrationEmails: false });
    }
  });

  it('reads the key of the account numbers once, and again if it could not be read', async () => {
    const read = jest.spyOn(statements(), 'accountNumberKey');
    read.mockRejectedValueOnce(new DatabaseUnavailable('unreachable'));
    const numbers = new AccountNumbers(statements());
    await expect(numbers.derive(1)).rejects.toThrow(DatabaseUnavailable);
    for (const sequence of [1, 2, 3]) expect(await numbers.derive(sequence)).toMatch(/^A-[0-9a-f]{8}$/);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('leaves the one account of a batch to the queue that could not be built', async () => {
    const [failing, other] = [await scheduled(), await scheduled()];
    const error = new DatabaseUnavailable('unreachable');
    jest.spyOn(test.app.get(AccountNumbers), 'derive').mockRejectedValueOnce(error);
    const outcomes = await imports.import([failing, other]);
    expect(outcomes).toEqual([{ kind: 'interrupted', error }, { kind: 'processed' }]);
    expect(await stateOf(failing)).toMatchObject({ status: 'IN_PROGRESS', accounts: 0 });
    expect(await importOne(failing)).toEqual({ kind: 'processed' });
  });

  it('has a statement of its own for an account with very many parts', async () => {
    const notes = Array.from({ length: 3_000 }, (_, index) => ({ body: `Note ${index}` }));
    const jobs = [await scheduled({ notes }), await scheduled({ notes }), await scheduled()];
    const create = jest.spyOn(test.app.get(AccountImportRepository), 'create');
    try {
      expect(await imports.import(jobs, { isFirstRun: true })).toEqual(
        jobs.map(() => ({ kind: 'processed' })),
      );
      expect(create.mock.calls.map(([accounts]) => accounts.length)).toEqual([1, 2]);
    } finally {
      create.mockRestore();
    }
  });

  it('creates several accounts in one statement, or none of them', async () => {
    const jobs = [await scheduled(), await scheduled(), await scheduled()];
    const repository = test.app.get(AccountImportRepository);
    const started = await repository.start(jobs);
    const batch = started.map((one, index) => ({
      started: one!,
      account: newAccountWith(`A-1000000${index}`),
    }));
    const clashing = batch.map((one) => ({ ...one, account: { ...one.account, number: 'A-20000000' } }));
    await expect(repository.create(clashing)).rejects.toMatchObject({ code: '23505' });
    expect(await stateOf(jobs[0]!)).toMatchObject({ status: 'IN_PROGRESS', accounts: 0 });
    const created = await repository.create(batch);
    expect(created.map((one) => one?.accountId)).toEqual(Array(3).fill(expect.any(String)));
    for (const job of jobs) expect(await stateOf(job)).toMatchObject({ status: 'PROCESSED', accounts: 1 });
  });

  it('leaves nothing behind in a dry run', async () => {
    const job = await scheduled({}, { is_dry_run: true });
    expect(await importOne(job)).toEqual({ kind: 'dry-run-succeeded' });
    expect(await stateOf(job)).toEqual({ status: 'DRY_RUN_SUCCEEDED', error_code: null, accounts: 0 });
  });

  it('stores the warnings of a dry run', async () => {
    const job = await scheduled({}, { is_dry_run: true });
    const [started] = await statements().start([job]);
    const warnings = [{ code: 'unusual', detail: 'Words.', attr: 'customers' }];
    expect(await statements().succeedDryRuns([{ ...started!, warnings }])).toEqual([true]);
    expect(await test.sql('SELECT warnings FROM import_process WHERE id = $1', [job.processId])).toEqual([
      { warnings },
    ]);
  });

  it('creates an account after its release', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'staged' });
    const job = await scheduled();
    expect(await importOne(job)).toEqual({ kind: 'dry-run-succeeded' });
    await test.app.get(SteerImportProcesses).steerOne('release', 'LEGACY', job.number);
    expect(await importOne({ ...job, version: 2 })).toEqual({ kind: 'processed' });
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'dry-run-first' });
    expect(await importOne(await scheduled())).toEqual({ kind: 'processed' });
    await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'direct' });
  });

  describe('while its supplier is not Ongoing', () => {
    afterEach(async () => {
      await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
    });

    const setStatus = async (status: string) => test.app.get(ImportSuppliers).setStatus('LEGACY', status);

    it.each([true, false])('holds a process that has not begun (first run: %s)', async (isFirstRun) => {
      const job = await scheduled();
      const before = await test.sql('SELECT * FROM import_process WHERE id = $1', [job.processId]);
      await setStatus('Paused');
      expect(await importOne(job, { isFirstRun, isLastAttempt: true })).toEqual({ kind: 'held' });
      expect(await test.sql('SELECT * FROM import_process WHERE id = $1', [job.processId])).toEqual(before);
      await setStatus('Ongoing');
      expect(await importOne(job, { isFirstRun })).toEqual({ kind: 'processed' });
    });

    it.each(['read', 'start'] as const)(
      'holds its processes alone of a batch, and each has the settings of its own supplier (%s)',
      async (method) => {
        const own = await scheduled();
        const code = `SECOND_${method.toUpperCase()}`;
        await test.app.get(ImportSuppliers).create(code, 'Supplier Ltd', {});
        const number = `P-${next++}`;
        await scheduleAccount(test, test.caller, account(number, { import_supplier: code }));
        const batch = [own, ...(await processesOf(test, number))];
        await setStatus('Paused');
        const held = await statements()[method](batch);
        expect(held.map((one) => one?.supplier.code)).toEqual([undefined, code]);
        await setStatus('Ongoing');
        const [resumed] = await statements()[method](batch);
        expect(resumed?.supplier.code).toBe('LEGACY');
      },
    );

    it('goes on with a process that has begun', async () => {
      const [started, read] = [await scheduled(), await scheduled()];
      await statements().start([started]);
      const { read: readImports } = AccountImportRepository.prototype;
      jest.spyOn(statements(), 'read').mockImplementation(async (versions) => {
        const found = await readImports.call(statements(), versions);
        await setStatus('Paused');
        return found;
      });
      expect(await importOne(read, { isFirstRun: true })).toEqual({ kind: 'processed' });
      expect(await importOne(started)).toEqual({ kind: 'processed' });
      // What has ended is not held.
      expect(await importOne(started)).toEqual({ kind: 'outdated' });
    });

    it('cancels a process whose window has passed', async () => {
      const job = await scheduled();
      await test.sql(
        `UPDATE import_process SET schedule_window_end = now() - interval '1 second' WHERE id = $1`,
        [job.processId],
      );
      await setStatus('Paused');
      expect(await importOne(job)).toEqual({ kind: 'cancelled' });
    });

    it('refuses a process that has not begun when the migration is complete', async () => {
      const job = await scheduled();
      await setStatus('Paused');
      expect(await importOne(job)).toEqual({ kind: 'held' });
      await setStatus('Complete');
      const code = 'import_supplier_migration_not_ongoing';
      expect(await importOne(job)).toEqual({ kind: 'errored', code });
      expect(await stateOf(job)).toMatchObject({ status: 'ERRORED', error_code: code });
    });
  });

  it.each([true, false])(
    'does not start a process before its window opens, by the clock of the database (first run: %s)',
    async (isFirstRun) => {
      const job = await scheduled();
      await test.sql(
        `UPDATE import_process SET schedule_window_start = now() + interval '1 minute' WHERE id = $1`,
        [job.processId],
      );
      expect(await importOne(job, { isFirstRun })).toEqual({ kind: 'held' });
      expect(await stateOf(job)).toMatchObject({ status: 'PENDING', accounts: 0 });
      await test.sql('UPDATE import_process SET schedule_window_start = now() WHERE id = $1', [
        job.processId,
      ]);
      expect(await importOne(job, { isFirstRun })).toEqual({ kind: 'processed' });
    },
  );

  it('cancels a process that was not started within its window', async () => {
    const job = await scheduled();
    await test.sql(
      `UPDATE import_process SET schedule_window_end = now() - interval '1 second' WHERE id = $1`,
      [job.processId],
    );
    expect(await importOne(job)).toEqual({ kind: 'cancelled' });
    expect(await stateOf(job)).toEqual({ status: 'CANCELLED', error_code: null, accounts: 0 });
  });

  it('does not cancel a later version by the job of an earlier one', async () => {
    const job = await scheduled();
    const payload = account(job.number, { nickname: 'other' });
    await scheduleAccount(test, test.caller, { payload, task_params: {} });
    await test.sql(
      `UPDATE import_process SET schedule_window_end = now() - interval '1 second' WHERE id = $1`,
      [job.processId],
    );
    expect(await importOne(job)).toEqual({ kind: 'outdated' });
    expect(await stateOf(job)).toMatchObject({ status: 'PENDING' });
  });

  it('does not cancel a process that another run starts meanwhile', async () => {
    const job = await scheduled();
    await test.sql(
      `UPDATE import_process SET schedule_window_end = now() - interval '1 second' WHERE id = $1`,
      [job.processId],
    );
    const cancelling = await test.app.get(Database).transaction(async ({ manager }) => {
      await manager.query(`UPDATE import_process SET status = 'IN_PROGRESS', attempt = 1 WHERE id = $1`, [
        job.processId,
      ]);
      const cancelled = statements().cancelMissed([job]);
      await test.untilWaiting();
      return [cancelled];
    });
    expect(await Promise.all(cancelling)).toEqual([[false]]);
    expect(await stateOf(job)).toMatchObject({ status: 'IN_PROGRESS' });
  });

  it('leaves transient failures to the queue; the last attempt ends the process', async () => {
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
      expect(await importOne(job)).toMatchObject({ kind: 'interrupted', error: { code: '40P01' } });
      expect(await stateOf(job)).toMatchObject({ status: 'IN_PROGRESS', accounts: 0 });
      expect(await importOne(job, { isLastAttempt: true })).toEqual({
        kind: 'errored',
        code: 'temporarily_unavailable',
      });
    } finally {
      database.run = real;
    }
    expect(await stateOf(job)).toMatchObject({ status: 'ERRORED', error_code: 'temporarily_unavailable' });
  });

  it('ends the process at once if a retry cannot succeed', async () => {
    const job = await scheduled();
    await test.sql(`ALTER TABLE customer ADD CONSTRAINT refuses CHECK (family_name <> 'Aldous') NOT VALID`);
    try {
      expect(await importOne(job)).toEqual({ kind: 'errored', code: 'error' });
    } finally {
      await test.sql('ALTER TABLE customer DROP CONSTRAINT refuses');
    }
    expect(await stateOf(job)).toEqual({ status: 'ERRORED', error_code: 'error', accounts: 0 });
  });
});
