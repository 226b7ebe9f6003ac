import { newDatabase } from '@portage/testing';
import { FaultProxy, seededRandom } from '@portage/testing/installation';
import { applicationUrl } from '@portage/testing/template-database';
import { Client, Pool } from 'pg';
import { CONNECTION_WATCH, ConnectionWatch } from './connection-watch';
import { sessionOptions } from './session-limits';

/** Well within the time that an instance may take to answer again. */
const MAX_SILENCE_MS = 10_000;
const NO_LIMIT = { maxSilenceMs: undefined };

let databaseUrl: string;
let outside: Client;
let proxy: FaultProxy;
let pool: Pool;
let closed: Error[];

beforeAll(async () => {
  databaseUrl = await newDatabase();
  outside = new Client({ connectionString: databaseUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
});
beforeEach(async () => {
  // As the role of the application, which may end its own sessions only.
  const url = applicationUrl(databaseUrl);
  proxy = await FaultProxy.start(url, seededRandom(1));
  closed = [];
  const connectionString = proxy.through(url);
  const servers = { urls: [connectionString], targetSession: 'any' } as const;
  const watch = new ConnectionWatch(servers, NO_LIMIT, (error) => closed.push(error));
  pool = new Pool({
    Client: watch.Client,
    max: 3,
    connectionTimeoutMillis: 5_000,
    application_name: 'watched',
    options: sessionOptions(),
  });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await proxy.stop();
});

async function sessions(): Promise<string[]> {
  const { rows } = await outside.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'watched %'`,
  );
  return rows.map(({ name }) => name);
}

async function timed(work: Promise<unknown>): Promise<number> {
  const since = performance.now();
  await expect(work).rejects.toThrow('PostgreSQL has not answered');
  return performance.now() - since;
}

describe('a connection that falls silent', () => {
  it.each(['to-client', 'to-server'] as const)(
    'in the direction %s fails its statement within seconds, and its session holds no locks',
    async (direction) => {
      const client = await pool.connect();
      await client.query('BEGIN; SELECT pg_advisory_xact_lock(7)');
      const [name] = await sessions();
      proxy.silence(direction);
      client.on('error', () => undefined);
      expect(await timed(client.query('SELECT 1'))).toBeLessThan(MAX_SILENCE_MS);
      client.release(true);
      // The pool works at once, over a new connection, and the lock is free.
      await pool.query('SELECT pg_advisory_xact_lock(7)');
      expect(await sessions()).not.toContain(name);
      expect(closed).toHaveLength(1);
    },
  );

  it('is found while it only listens, and takes the unused ones with it', async () => {
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of clients) client.on('error', () => undefined);
    const ended = clients.map(async (client) => new Promise((resolve) => client.once('error', resolve)));
    await clients[0].query('LISTEN something');
    proxy.silence('both');
    const since = performance.now();
    await Promise.all(ended);
    expect(performance.now() - since).toBeLessThan(MAX_SILENCE_MS);
    for (const client of clients) client.release(true);
  });

  it('is told from one whose statement takes long', async () => {
    const seconds = (2 * CONNECTION_WATCH.checkAfterMs) / 1_000;
    const { rows } = await pool.query<{ done: boolean }>('SELECT pg_sleep($1) IS NOT NULL AS done', [
      seconds,
    ]);
    expect(rows).toEqual([{ done: true }]);
    expect(closed).toEqual([]);
  });
});
