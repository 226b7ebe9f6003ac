import { join } from 'node:path';
import { newDirectory, until } from '@portage/testing';
import { ReplicatedPostgres } from '@portage/testing/installation';
import { EmbeddedPostgres } from '@portage/local-environment';
import { Client, Pool } from 'pg';
import { clientClass, ServerClient } from './server-client';
import { NoSuitableServer, Servers } from './servers';

let directory: string;
let primary: EmbeddedPostgres;
let servers: ReplicatedPostgres;

beforeAll(async () => {
  directory = newDirectory();
  primary = await EmbeddedPostgres.start({ dataDirectory: join(directory, 'postgres'), password: 'test' });
  const client = new Client({ connectionString: primary.url() });
  await client.connect();
  await client.query('CREATE TABLE written (number int)');
  await client.end();
  servers = await ReplicatedPostgres.addStandby(primary, directory, 'synchronous');
});
afterAll(async () => {
  await primary.stop('immediate');
  await servers.stop();
});

/** The standby first, so that the order alone does not lead to the primary. */
function urlOf(target: string): string {
  return ReplicatedPostgres.joined(servers.standby.url(), primary.url()).replace('read-write', target);
}

async function portOf(url: string): Promise<number> {
  const client = new ServerClient(new Servers(url));
  await client.connect();
  try {
    return client.port;
  } finally {
    await client.end();
  }
}

describe('a URL with several hosts', () => {
  it.each(['read-write', 'primary'])(
    'leads to the primary with %s, wherever it is in the list',
    async (target) => {
      expect(await portOf(urlOf(target))).toBe(primary.port);
    },
  );

  it('leads to the first server that answers with any', async () => {
    expect(await portOf(urlOf('any'))).toBe(servers.standby.port);
  });

  it('is refused with the reason of each host if none accepts writes', async () => {
    const standby = new URL(servers.standby.url());
    const url = servers.standby.url().replace(standby.host, `${standby.host},127.0.0.1:1`);
    const client = new ServerClient(new Servers(url));
    const refused = client.connect() as Promise<unknown>;
    await expect(refused).rejects.toThrow(NoSuitableServer);
    await expect(refused).rejects.toThrow(/accepts no writes; 127\.0\.0\.1:1: .*ECONNREFUSED/);
  });
});

it('a connection whose server turns out to be read-only is closed, and its pool goes on', async () => {
  const pool = new Pool({
    Client: clientClass(servers.standby.url(), undefined),
  });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  client.on('error', () => undefined);
  await expect(client.query('INSERT INTO written VALUES (0)')).rejects.toMatchObject({ code: '25006' });
  await ended;
  client.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('the same pool writes to the promoted standby after the loss of the primary', async () => {
  const pool = new Pool({
    Client: clientClass(urlOf('read-write'), undefined),
    connectionTimeoutMillis: 5_000,
  });
  pool.on('error', () => undefined);
  await pool.query('INSERT INTO written VALUES (1)');
  servers.signalPrimary('SIGKILL');
  await expect(pool.query('INSERT INTO written VALUES (2)')).rejects.toThrow();
  await servers.promote();
  await until(
    async () =>
      pool.query('INSERT INTO written VALUES (3)').then(
        () => true,
        () => false,
      ),
    'the pool does not find the new primary',
  );
  // What was confirmed before is there.
  const { rows } = await pool.query<{ number: number }>('SELECT number FROM written ORDER BY number');
  expect(rows.map(({ number }) => number)).toEqual([1, 3]);
  await pool.end();
});
