import { Client, DatabaseError } from 'pg';
import { startApplication, type TestApplication } from '@portage/testing/application';
import { Database, type Executor } from './database';
import { DatabaseUnavailable } from './database-unavailable';
import { ApiKeyRepository } from './repositories/api-key.repository';
import { ImportSupplierRepository } from './repositories/import-supplier.repository';

let test: TestApplication;
let database: Database;
let outside: Client;

beforeAll(async () => {
  test = await startApplication('postgres', { DATABASE_POOL: '2', DATABASE_CONNECT_TIMEOUT_MS: '300' });
  database = test.app.get(Database);
  outside = new Client({ connectionString: test.databaseUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
  await test.app.close();
});

const insert = (executor: Executor, name: string) =>
  executor.run({ name: 'insert-organisation', text: 'INSERT INTO organisation (name) VALUES ($1)' }, [name]);
const backend = async (executor: Executor) =>
  (await executor.run<{ pid: number }>({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid' }, []))[0]!.pid;
const terminate = async (pid: number) => outside.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
const has = async (name: string) =>
  (await outside.query('SELECT 1 FROM organisation WHERE name = $1', [name])).rowCount === 1;

describe('a transaction', () => {
  it('keeps everything, and answers what the work answers', async () => {
    const answer = await database.transaction(async (executor) => {
      await insert(executor, 'kept');
      expect(await has('kept')).toBe(false);
      return 'answer';
    });
    expect([answer, await has('kept')]).toEqual(['answer', true]);
  });

  it('keeps nothing when the work throws, whatever it throws', async () => {
    const symbol = Symbol('thrown');
    for (const thrown of [new Error('no'), symbol, undefined])
      await expect(
        database.transaction(async (executor) => {
          await insert(executor, 'lost');
          throw thrown; // eslint-disable-line @typescript-eslint/only-throw-error -- it must not matter
        }),
      ).rejects.toBe(thrown);
    expect(await has('lost')).toBe(false);
  });

  it('keeps nothing when a statement fails, and says which rule was broken', async () => {
    const work = database.transaction(async (executor) => {
      await insert(executor, 'twice');
      await insert(executor, 'twice');
    });
    await expect(work).rejects.toMatchObject({ code: '23505', constraint: 'organisation_name_key' });
    await expect(work).rejects.toBeInstanceOf(DatabaseError);
    expect(await has('twice')).toBe(false);
  });

  it('gives its connection back: more of them than there are connections come to an end', async () => {
    const pids = await Promise.all(Array.from({ length: 10 }, async () => database.transaction(backend)));
    expect(new Set(pids).size).toBeLessThanOrEqual(2);
  });

  it('does not give a broken connection back', async () => {
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
  /** Does something while every connection of the pool is in use. */
  async function whileBusy(work: () => Promise<void>): Promise<void> {
    await database.transaction(async () => database.transaction(async () => work()));
  }

  it('is told apart from one that says no, on every way to it', async () => {
    const keys = test.app.get(ApiKeyRepository);
    await whileBusy(async () => {
      await expect(backend(database)).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(database.transaction(backend)).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(test.app.get(ImportSupplierRepository).findByCode('LEGACY')).rejects.toBeInstanceOf(
        DatabaseUnavailable,
      );
      await expect(keys.findActive(1)).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(keys.findByPrefix('x')).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(await database.isReachable()).toBe(false);
    });
    expect(await database.isReachable()).toBe(true);
    expect(await test.app.get(ImportSupplierRepository).findByCode('LEGACY')).toMatchObject({
      code: 'LEGACY',
    });
  });

  it('is asked again on a new connection after the old one was lost while idle', async () => {
    const { rows } = await outside.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'portage'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { pid } of rows) await terminate(pid);
    const answered = async () => database.transaction(backend).catch(() => undefined);
    let pid = await answered();
    // The news that the connection is gone may come after it was asked.
    for (let attempt = 0; pid === undefined && attempt < 5; attempt += 1) pid = await answered();
    expect(rows.map((row) => row.pid)).not.toContain(pid);
    expect(pid).toEqual(expect.any(Number));
  });
});
