import { setTimeout as sleep } from 'node:timers/promises';
import { newDatabase } from '@portage/testing';
import { FaultProxy, seededRandom } from '@portage/testing/installation';
import { applicationUrl } from '@portage/testing/template-database';
import { Pool } from 'pg';
import { clientClass, HEARTBEAT_MS } from './server-client';
import { sessionOptions } from './session-limits';

const STATEMENT_TIMEOUT_MS = 3_000;
/** The statement's own time, 3 s more, and a heartbeat. */
const MAX_SILENCE_MS = 10_000;

let databaseUrl: string;
let proxy: FaultProxy;
let pool: Pool;

beforeAll(async () => {
  databaseUrl = await newDatabase();
});
beforeEach(async () => {
  // As the role of the application, which may end its own sessions only.
  const url = applicationUrl(databaseUrl);
  proxy = await FaultProxy.start(url, seededRandom(1));
  pool = new Pool({
    Client: clientClass(proxy.through(url), STATEMENT_TIMEOUT_MS),
    max: 3,
    connectionTimeoutMillis: 5_000,
    application_name: 'watched',
    options: sessionOptions({ idle_in_transaction_session_timeout: 2_000 }),
  });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await proxy.stop();
});

async function timed(work: Promise<unknown>): Promise<number> {
  const since = performance.now();
  // The server ends the session of an open transaction, and may still be able to say so.
  await expect(work).rejects.toThrow(/PostgreSQL has not answered|idle-in-transaction timeout/);
  return performance.now() - since;
}

describe('a connection that falls silent', () => {
  it.each(['to-client', 'to-server'] as const)(
    'silence in the direction %s fails a statement within seconds, and its session holds no locks',
    async (direction) => {
      const client = await pool.connect();
      await client.query('BEGIN; SELECT pg_advisory_xact_lock(7)');
      proxy.silence(direction);
      client.on('error', () => undefined);
      expect(await timed(client.query('SELECT 1'))).toBeLessThan(MAX_SILENCE_MS);
      client.release(true);
      // The pool works at once, over a new connection, and the lock is free.
      await pool.query('SELECT pg_advisory_xact_lock(7)');
    },
  );

  it('is found while it only listens, and while it is unused', async () => {
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

  it('is told from one whose statement takes as long as it may', async () => {
    const seconds = (STATEMENT_TIMEOUT_MS + HEARTBEAT_MS) / 1_000;
    const { rows } = await pool.query<{ done: boolean }>('SELECT pg_sleep($1) IS NOT NULL AS done', [
      seconds,
    ]);
    expect(rows).toEqual([{ done: true }]);
  });

  it('is told from one that is unused', async () => {
    const client = await pool.connect();
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    await sleep(MAX_SILENCE_MS);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(errors).toEqual([]);
    client.release();
  });
});
