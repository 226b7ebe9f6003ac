import { ApiKeyRepository, ImportSupplierRepository, OrganisationEntity } from '@portage/tenants';
import { useApplication } from '@portage/testing/application';
import { Client, DatabaseError } from 'pg';
import { Database, type Executor } from './database';
import { DatabaseUnavailable } from './database-unavailable';

const test = useApplication('postgres', { DATABASE_POOL: '2' });
let database: Database;
let outside: Client;

beforeAll(async () => {
  database = test.app.get(Database);
  outside = new Client({ connectionString: test.databaseUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
});

const insert = (executor: Executor, name: string) =>
  executor.run({ name: 'insert-organisation', text: 'INSERT INTO organisation (name) VALUES ($1)' }, [name]);
const backend = async (executor: Executor) =>
  (await executor.run<{ pid: number }>({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid' }, []))[0]!.pid;
const terminate = async (pid: number) => outside.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
const has = async (name: string) =>
  (await outside.query('SELECT 1 FROM organisation WHERE name = $1', [name])).rowCount === 1;

describe('a statement with a signal', () => {
  const sleep = { name: 'sleep', text: 'SELECT pg_sleep($1)::text AS slept' };
  const run = async (seconds: number, signal: AbortSignal) => database.run(sleep, [seconds], signal);

  it('is cancelled in the server, and its connection stays', async () => {
    const pids = new Set<number>();
    for (let count = 0; count < 20; count += 1) {
      const gone = new AbortController();
      const running = run(30, gone.signal);
      // Also before the server has begun with the statement.
      setTimeout(() => {
        gone.abort(new Error('gone'));
      }, count);
      await expect(running).rejects.toThrow('gone');
      // A cancellation that comes late would strike this one.
      expect(
        await database.run({ name: 'short-sleep', text: 'SELECT pg_sleep(0.005)::text AS slept' }, []),
      ).toEqual([{ slept: '' }]);
      pids.add(await backend(database));
    }
    expect(pids.size).toBeLessThanOrEqual(2);
    const { rowCount } = await outside.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep($1)%' AND pid <> pg_backend_pid()`,
    );
    expect(rowCount).toBe(0);
  });

  it('returns its rows if it is not aborted, and is not sent if it was', async () => {
    const gone = new AbortController();
    expect(await run(0, gone.signal)).toEqual([{ slept: '' }]);
    gone.abort(new Error('gone'));
    await expect(run(0, gone.signal)).rejects.toThrow('gone');
  });

  it('fails as one without if its connection is lost', async () => {
    const running = run(30, new AbortController().signal);
    const sleeping = `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep($1)%'
      AND datname = current_database() AND pid <> pg_backend_pid()`;
    let pid: number | undefined;
    while (pid === undefined) pid = (await outside.query<{ pid: number }>(sleeping)).rows[0]?.pid;
    const failed = expect(running).rejects.toMatchObject({ code: '57P01' });
    await terminate(pid);
    await failed;
  });
});

describe('a transaction', () => {
  it('commits everything, and returns the result of the work', async () => {
    const answer = await database.transaction(async (executor) => {
      await insert(executor, 'committed');
      expect(await has('committed')).toBe(false);
      return 'answer';
    });
    expect([answer, await has('committed')]).toEqual(['answer', true]);
  });

  it('is one for named SQL and repositories', async () => {
    const both = (thrown?: Error) =>
      database.transaction(async (transaction) => {
        await insert(transaction, 'by statement');
        const organisations = transaction.manager.getRepository(OrganisationEntity);
        await organisations.insert({ name: 'by repository' });
        expect(await organisations.existsBy({ name: 'by statement' })).toBe(true);
        if (thrown) throw thrown;
      });
    await expect(both(new Error('no'))).rejects.toThrow('no');
    expect([await has('by statement'), await has('by repository')]).toEqual([false, false]);
    await both();
    expect([await has('by statement'), await has('by repository')]).toEqual([true, true]);
  });

  it('rolls back when the work throws, also with a value that is not an Error', async () => {
    const symbol = Symbol('thrown');
    for (const thrown of [new Error('no'), symbol, undefined])
      await expect(
        database.transaction(async (executor) => {
          await insert(executor, 'lost');
          throw thrown; // oxlint-disable-line typescript/only-throw-error -- it must not matter
        }),
      ).rejects.toBe(thrown);
    expect(await has('lost')).toBe(false);
  });

  it('rolls back when a statement fails, and reports the violated constraint', async () => {
    const work = database.transaction(async (executor) => {
      await insert(executor, 'twice');
      await insert(executor, 'twice');
    });
    await expect(work).rejects.toMatchObject({ code: '23505', constraint: 'organisation_name_key' });
    await expect(work).rejects.toBeInstanceOf(DatabaseError);
    expect(await has('twice')).toBe(false);
  });

  it('does not return a broken connection to the pool', async () => {
    let broken = 0;
    const work = database.transaction(async (executor) => {
      broken = await backend(executor);
      await terminate(broken);
      await insert(executor, 'broken');
    });
    await expect(work).rejects.toThrow();
    const pids = await Promise.all(Array.from({ length: 6 }, async () => database.transaction(backend)));
    expect(pids).not.toContain(broken);
    expect(await has('broken')).toBe(false);
  });
});

describe('a database that does not answer', () => {
  /** Runs `work` while every connection of the pool is in use. */
  async function whileBusy(work: () => Promise<void>): Promise<void> {
    await database.transaction(async () => database.transaction(async () => work()));
  }

  it('is reported as DatabaseUnavailable on every path', async () => {
    const keys = test.app.get(ApiKeyRepository);
    await whileBusy(async () => {
      // Concurrent, because each call waits for the whole connect timeout.
      const [isReachable, ...answers] = await Promise.all([
        database.isReachable(),
        ...[
          backend(database),
          database.transaction(backend),
          test.app.get(ImportSupplierRepository).findByCode('LEGACY'),
          keys.findActive(1),
          keys.findByPrefix('x'),
        ].map(async (answer) => answer.catch((error: unknown) => error)),
      ]);
      expect(isReachable).toBe(false);
      expect(answers).toEqual(answers.map(() => expect.any(DatabaseUnavailable) as unknown));
      expect(answers).toHaveLength(5);
    });
    expect(await database.isReachable()).toBe(true);
    expect(await test.app.get(ImportSupplierRepository).findByCode('LEGACY')).toMatchObject({
      code: 'LEGACY',
    });
  });

  it('is reached by a new connection after the old one was lost while idle', async () => {
    const { rows } = await outside.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'portage'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { pid } of rows) await terminate(pid);
    const answered = async () => database.transaction(backend).catch(() => undefined);
    let pid = await answered();
    // The pool may learn of the loss only after it has handed the connection out.
    for (let attempt = 0; pid === undefined && attempt < 5; attempt += 1) pid = await answered();
    expect(rows.map((row) => row.pid)).not.toContain(pid);
    expect(pid).toEqual(expect.any(Number));
  });
});
