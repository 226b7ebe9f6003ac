import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, type TestedBackend, until } from '@portage/testing';
import { freePort } from '@portage/testing/local-environment';
import { Client } from 'pg';
import {
  BACKENDS,
  BOOK_COUNTS,
  failureOf,
  importSampleBook,
  ProductionPostgres,
} from './production-postgres';

/** The program; PGBOUNCER names another one than that on the PATH. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? 'pgbouncer';
const RUN_TIMEOUT_MS = 240_000;
/** Fewer than the connections of an API and a worker. */
const POOL_SIZE = 6;
const OLDEST = [1, 21];

let postgres: ProductionPostgres;
const poolers: Pooler[] = [];

/** PgBouncer in transaction mode. */
class Pooler {
  private constructor(
    private readonly process: ChildProcess,
    private readonly port: number,
  ) {}

  static async start(name: string, settings: Record<string, string> = {}): Promise<Pooler> {
    const port = await freePort();
    const directory = join(postgres.directory, name);
    mkdirSync(directory);
    chmodSync(postgres.directory, 0o755);
    chmodSync(directory, 0o777);
    const file = join(directory, 'pgbouncer.ini');
    const { port: serverPort, username, password } = new URL(postgres.applicationUrl('any'));
    writeFileSync(join(directory, 'users.txt'), `"${username}" "${password}"\n`, { mode: 0o644 });
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: join(directory, 'users.txt'),
      pool_mode: 'transaction',
      default_pool_size: String(POOL_SIZE),
      max_prepared_statements: '500',
      ...settings,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    writeFileSync(
      file,
      `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
      { mode: 0o644 },
    );
    const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(PGBOUNCER, [...asRoot, file], { stdio: 'ignore' });
    const pooler = new Pooler(child, port);
    poolers.push(pooler);
    return pooler;
  }

  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  async waitUntilReady(url: string): Promise<void> {
    await until(
      async () => {
        const client = new Client({ connectionString: this.through(url) });
        client.on('error', () => undefined);
        return client.connect().then(
          async () => client.end().then(() => true),
          () => false,
        );
      },
      20_000,
      () => 'PgBouncer does not answer',
    );
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}

beforeAll(async () => {
  const version = execFileSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  if (major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!))
    throw new Error(`PgBouncer 1.21 or later is needed; this is ${version}. Name another one in PGBOUNCER.`);
  postgres = await ProductionPostgres.start();
}, RUN_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(poolers.map(async (pooler) => pooler.stop()));
  await postgres.stop();
});

describe('behind PgBouncer in transaction mode', () => {
  it.each<TestedBackend>(BACKENDS)(
    'the sample book is imported, with more connections than sessions, queue in %s',
    async (backend) => {
      const database = `pooled_${backend}`;
      const direct = postgres.applicationUrl(database);
      await postgres.createMigrated(database, { DIRECT_DATABASE_URL: direct });
      const pooler = await Pooler.start(database);
      await pooler.waitUntilReady(direct);
      const portage = await postgres.startPortage(database, backend, {
        DATABASE_URL: pooler.through(direct),
        DIRECT_DATABASE_URL: direct,
      });
      try {
        expect(await importSampleBook(portage)).toEqual(BOOK_COUNTS);
        // The API learns the outcome by a notification, which arrives over the direct connection.
        const about = { import_supplier: 'LEGACY', external_account_number: 'POOLED' };
        await portage.schedule(portage.account('POOLED'));
        await portage.waitForAccount('POOLED', 'PROCESSED');
        const { status } = await portage.post('/v1/data-import/transactions/create/', {
          ...about,
          transactions: [
            {
              transaction_id: 'T-1',
              transaction_date: '2026-01-15',
              type: 'CHARGE',
              reason: 'IMPORTED_CHARGE',
              amount: 12.5,
            },
          ],
        });
        expect(status).toBe(201);
        expect(portage.log('api') + portage.log('worker')).not.toMatch(/has not answered on this connection/);
      } finally {
        await portage.stop();
      }
    },
    RUN_TIMEOUT_MS,
  );

  it(
    'a process does not start without the settings of its sessions, and says how to store them',
    async () => {
      await postgres.createMigrated('unset');
      const direct = postgres.applicationUrl('unset');
      const pooler = await Pooler.start('unset');
      await pooler.waitUntilReady(direct);
      const env = { DATABASE_URL: pooler.through(direct), DIRECT_DATABASE_URL: direct, WORKER_PORT: '0' };
      expect(
        await failureOf(builtProgram('worker'), [], { ...env, PORTAGE_DIR: postgres.directory }),
      ).toMatch(/enable_seqscan is on.*Run npm run migrate with DIRECT_DATABASE_URL/);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    'a process does not start if prepared statements are forgotten, or DIRECT_DATABASE_URL is not direct',
    async () => {
      const direct = postgres.applicationUrl('forgetful');
      await postgres.createMigrated('forgetful', { DIRECT_DATABASE_URL: direct });
      const pooler = await Pooler.start('forgetful', { max_prepared_statements: '0' });
      await pooler.waitUntilReady(direct);
      const pooled = pooler.through(direct);
      const env = { DATABASE_URL: pooled, WORKER_PORT: '0', PORTAGE_DIR: postgres.directory };
      expect(await failureOf(builtProgram('worker'), [], { ...env, DIRECT_DATABASE_URL: direct })).toMatch(
        /forgets prepared statements/,
      );
      expect(await failureOf(builtProgram('worker'), [], { ...env, DIRECT_DATABASE_URL: pooled })).toMatch(
        /DIRECT_DATABASE_URL leads to a pooler/,
      );
    },
    RUN_TIMEOUT_MS,
  );
});
