import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgres } from '@portage/local-environment';
import { type Backend, Installation } from './installation';
import { CHECKOUT, compiledPath } from './checkout';
import { processorTime } from './processor-time';
import { query } from './query';
import { RedisServer } from './redis';

const execFileAsync = promisify(execFile);

const ORGANISATION = 'Benchmark';
export const SUPPLIER = 'BENCH';
const COMMAND_TIMEOUT_MS = 60_000;
const TEMPLATE = 'template_portage';

/**
 * Dedicated PostgreSQL and Redis servers with production settings: PostgreSQL has fsync on, and Redis writes its
 * append-only file every second.
 */
export class Servers {
  private readonly installations = new Set<Installation>();
  private apiKey = '';
  private databases = 0;

  private constructor(
    readonly directory: string,
    readonly postgres: EmbeddedPostgres,
    readonly postgresVersion: string,
    readonly redis: RedisServer | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<Servers> {
    // In the checkout, because /tmp is in memory on many systems, where fsync costs nothing.
    mkdirSync(join(CHECKOUT, '.portage'), { recursive: true });
    const directory = mkdtempSync(join(CHECKOUT, '.portage', 'bench-'));
    let postgres: EmbeddedPostgres | undefined;
    let redis: RedisServer | undefined;
    try {
      postgres = await EmbeddedPostgres.start({
        dataDirectory: join(directory, 'postgres'),
        password: 'bench',
        settings: { fsync: 'on' },
      });
      redis = await RedisServer.start(join(directory, 'redis'));
      const [server] = await query<{ version: string }>(
        postgres.url(),
        `SELECT current_setting('server_version') AS version`,
      );
      const servers = new Servers(
        directory,
        postgres,
        server?.version ?? '',
        redis,
        productionEnvironment(directory),
      );
      await servers.prepareTemplate();
      return servers;
    } catch (error) {
      await redis?.stop();
      await postgres?.stop('immediate');
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** The available queue backends. */
  get backends(): Backend[] {
    return this.redis ? ['redis', 'postgres'] : ['postgres'];
  }

  /** The backend of measures that use only one. */
  get fasterBackend(): Backend {
    return this.redis ? 'redis' : 'postgres';
  }

  /** CPU time of the server that has the queue, in milliseconds since its start. */
  queueServerTime(backend: Backend): number {
    return processorTime(backend === 'redis' && this.redis ? this.redis.pid : this.postgresPid);
  }

  /** Process id of the postmaster. */
  private get postgresPid(): number {
    return Number(readFileSync(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /**
   * Creates a new installation: a migrated database without statistics, with one organisation and one supplier, and
   * empty queues. Only one installation at a time can use Redis.
   */
  async installation(backend: Backend): Promise<Installation> {
    const name = `bench_${(this.databases += 1)}`;
    await query(this.postgres.url(), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
    await this.settle();
    const installation = new Installation({
      databaseUrl: this.postgres.url(name),
      apiKey: this.apiKey,
      logDirectory: this.directory,
      servers: { postgres: this.postgresPid, redis: this.redis?.pid },
      env: {
        ...this.env,
        DATABASE_URL: this.postgres.url(name),
        ...(backend === 'redis' && this.redis ? { REDIS_URL: this.redis.url } : {}),
      },
      remove: async () => {
        this.installations.delete(installation);
        await query(this.postgres.url(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      },
    });
    this.installations.add(installation);
    return installation;
  }

  /** Runs a checkpoint, so that pending writes of one contender do not slow down the next, and empties the queues. */
  async settle(): Promise<void> {
    await query(this.postgres.url(), 'CHECKPOINT');
    await this.redis?.empty();
  }

  /** The last lines of the logs of API and worker, for error messages. */
  endOfLogs(): string {
    return ['api', 'worker']
      .flatMap((part) => {
        const file = join(this.directory, `${part}.log`);
        return existsSync(file)
          ? [`Last lines of ${part}.log:`, ...readFileSync(file, 'utf8').trim().split('\n').slice(-5)]
          : [];
      })
      .join('\n');
  }

  /** Stops all programs and servers in any state; idempotent. */
  async stop(): Promise<void> {
    for (const installation of this.installations) installation.kill();
    await this.redis?.stop();
    await this.postgres.stop('immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Creates a migrated template database that is copied for each contender, which saves five process starts. */
  private async prepareTemplate(): Promise<void> {
    await this.postgres.createDatabase(TEMPLATE);
    const url = this.postgres.url(TEMPLATE);
    const env = { ...this.env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url };
    const command = async (script: string, ...args: string[]) =>
      (
        await execFileAsync(process.execPath, [compiledPath(script), ...args], {
          env,
          timeout: COMMAND_TIMEOUT_MS,
        })
      ).stdout;
    const operator = async (...args: string[]) => command('apps/cli/src/main.js', ...args, '--json');
    await command('apps/cli/src/migrate.js');
    await operator('organisation', 'create', ORGANISATION);
    await operator('supplier', 'create', SUPPLIER, '--organisation', ORGANISATION);
    const issued = await operator('api-key', 'issue', '--organisation', ORGANISATION);
    this.apiKey = (JSON.parse(issued) as { api_key: string }).api_key;
  }
}

/** An environment without the caller's variables, so that every setting has its documented default. */
function productionEnvironment(directory: string): NodeJS.ProcessEnv {
  // eslint-disable-next-line no-restricted-syntax -- child processes need PATH and HOME
  const { PATH, HOME } = process.env;
  return {
    ...{ PATH, HOME, NODE_ENV: 'production' },
    PORTAGE_DIR: join(directory, 'portage'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
  };
}
