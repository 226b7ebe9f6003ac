import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  builtProgram,
  findRedisProgram,
  type RedisServer,
  REPOSITORY,
  startRedis,
  stopRedis,
  type TestedBackend,
  TestPortage,
} from '@portage/testing';
import { EmbeddedPostgres } from '@portage/testing/local-environment';

const APPLICATION = { role: 'portage_app', password: 'application' };
const BOOK = join(REPOSITORY, 'examples', 'book.ndjson');
const IMPORT_TIMEOUT_MS = 120_000;
/** The accounts of the sample book that are faulty on purpose are refused. */
export const BOOK_COUNTS = [{ status: 'PROCESSED', count: 200 }];

/** The queue backends for which a server is installed. */
export const BACKENDS: readonly TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];

/** A PostgreSQL server of a test's own, with the roles of production, and Redis where the queue is there. */
export class ProductionPostgres {
  private redis: RedisServer | undefined;

  private constructor(
    readonly directory: string,
    readonly server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<ProductionPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'portage-postgres-'));
    const server = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'data'),
      password: 'test',
    });
    return new ProductionPostgres(directory, server);
  }

  ownerUrl(database: string): string {
    return this.server.url(database);
  }

  applicationUrl(database: string): string {
    return this.server.urlAs(APPLICATION.role, APPLICATION.password, database);
  }

  /** Creates and migrates a database. `env` changes the settings of `npm run migrate`. */
  async createMigrated(database: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.server.createDatabase(database);
    this.migrate({
      DATABASE_URL: this.applicationUrl(database),
      MIGRATION_DATABASE_URL: this.ownerUrl(database),
      ...env,
    });
  }

  /** `npm run migrate`. */
  migrate(env: NodeJS.ProcessEnv): void {
    const { PATH, HOME } = process.env;
    execFileSync(process.execPath, [builtProgram('cli', 'migrate')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, PORTAGE_DIR: this.directory, ...env },
    });
  }

  /** Starts an API and a worker on a migrated database. `env` changes their settings and those of the command line. */
  async startPortage(
    database: string,
    backend: TestedBackend,
    env: NodeJS.ProcessEnv = {},
    ownerUrl = this.ownerUrl(database),
  ): Promise<TestPortage> {
    if (backend === 'redis') this.redis ??= await startRedis();
    return TestPortage.start({
      backend,
      databaseUrl: ownerUrl,
      ...(backend === 'redis' && this.redis ? { redisUrl: this.redis.url } : {}),
      env: { DATABASE_URL: this.applicationUrl(database), ...env },
    });
  }

  async stop(): Promise<void> {
    if (this.redis) stopRedis(this.redis);
    await this.server.stop('immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Imports the sample book with the supplier's program. @returns the number of processes by status */
export async function importSampleBook(portage: TestPortage): Promise<{ status: string; count: number }[]> {
  await portage.operator('organisation', 'create', 'Demo');
  await portage.operator('supplier', 'create', 'DEMO', '--organisation', 'Demo');
  const { api_key: key } = (await portage.operator('api-key', 'issue', '--organisation', 'Demo')) as {
    api_key: string;
  };
  const args = [builtProgram('importer'), '--base-url', portage.baseUrl, '--file', BOOK];
  const { PATH, HOME } = process.env;
  const status = await new Promise<number>((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { env: { PATH, HOME, PORTAGE_API_KEY: key }, timeout: IMPORT_TIMEOUT_MS },
      (error, _stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(new Error(stderr, { cause: error }));
        else resolve(Number(error?.code ?? 0));
      },
    );
  });
  // The importer reports the faulty accounts.
  expect(status).toBe(1);
  return portage.sql(
    `SELECT process.status, count(*)::int AS count FROM import_process process
     JOIN import_supplier supplier ON supplier.id = process.supplier_id
     WHERE supplier.code = 'DEMO' GROUP BY 1 ORDER BY 1`,
  );
}

/** Runs a command that is expected to fail. @returns what it has printed */
export async function failureOf(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH, HOME, ...env }, timeout: IMPORT_TIMEOUT_MS },
      (error, stdout, stderr) => {
        if (error) resolve(stdout + stderr);
        else reject(new Error(`${program} did not fail.`));
      },
    );
  });
}
