import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgres } from '@portage/testing/local-environment';
import { type Backend, Installation } from './installation';
import { CHECKOUT, compiledPath } from './checkout';
import { query } from './query';
import { RedisServer } from './redis';

const execFileAsync = promisify(execFile);

const ORGANISATION = 'Benchmark';
export const SUPPLIER = 'BENCH';
const COMMAND_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  /** The directory of the programs of another PostgreSQL than the embedded one. */
  readonly binaries?: string;
  /** Further settings of PostgreSQL. */
  readonly settings?: Record<string, string>;
}

/**
 * Dedicated PostgreSQL and Redis servers with production settings: PostgreSQL has fsync on, and Redis writes its
 * append-only file every second.
 */
export class Servers {
  private readonly installations = new Set<Installation>();
  /** The API keys of the template databases, by checkout. */
  private readonly templates = new Map<string, { name: string; apiKey: string }>();
  private readonly moreRedis: RedisServer[] = [];
  private databases = 0;

  private constructor(
    readonly directory: string,
    readonly postgres: EmbeddedPostgres,
    readonly postgresVersion: string,
    readonly redis: RedisServer | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start(options: ServerOptions = {}): Promise<Servers> {
    // In the checkout, because /tmp is in memory on many systems, where fsync costs nothing.
    mkdirSync(join(CHECKOUT, '.portage'), { recursive: true });
    const directory = mkdtempSync(join(CHECKOUT, '.portage', 'bench-'));
    let postgres: EmbeddedPostgres | undefined;
    let redis: RedisServer | undefined;
    try {
      postgres = await EmbeddedPostgres.start({
        dataDirectory: join(directory, 'postgres'),
        password: 'bench',
        settings: { fsync: 'on', ...options.settings },
        ...(options.binaries === undefined ? {} : { binaries: options.binaries }),
      });
      redis = await RedisServer.start(join(directory, 'redis'));
      return new Servers(
        directory,
        postgres,
        await describePostgres(postgres.url(), options.binaries),
        redis,
        productionEnvironment(directory),
      );
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

  /** Process id of the postmaster. */
  private get postgresPid(): number {
    return Number(readFileSync(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Starts a further Redis, so that two installations can run side by side. Undefined if it is not installed. */
  async startRedis(): Promise<RedisServer | undefined> {
    const redis = await RedisServer.start(join(this.directory, `redis-${this.moreRedis.length + 2}`));
    if (redis) this.moreRedis.push(redis);
    return redis;
  }

  /**
   * Creates a new installation: a migrated database without statistics, with one organisation and one supplier, and
   * empty queues. Only one installation at a time can use a Redis.
   *
   * @param checkout its migrations and commands create the database
   */
  async installation(backend: Backend, checkout = CHECKOUT, redis = this.redis): Promise<Installation> {
    const name = `bench_${(this.databases += 1)}`;
    const template = await this.template(checkout);
    await query(this.postgres.url(), `CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY file_copy`);
    await this.checkpoint();
    if (backend === 'redis') await redis?.empty();
    const installation = new Installation({
      databaseUrl: this.postgres.url(name),
      apiKey: template.apiKey,
      logDirectory: this.directory,
      servers: { postgres: this.postgresPid, redis: redis?.pid },
      env: {
        ...this.env,
        DATABASE_URL: this.postgres.url(name),
        ...(backend === 'redis' && redis ? { REDIS_URL: redis.url } : {}),
      },
      remove: async () => {
        this.installations.delete(installation);
        await query(this.postgres.url(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      },
    });
    this.installations.add(installation);
    return installation;
  }

  /** Pending writes of one contender must not slow down the next. */
  async checkpoint(): Promise<void> {
    await query(this.postgres.url(), 'CHECKPOINT');
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
    for (const redis of [this.redis, ...this.moreRedis]) await redis?.stop();
    await this.postgres.stop('immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A migrated database of a checkout that is copied for each contender, which saves five process starts. */
  private async template(checkout: string): Promise<{ name: string; apiKey: string }> {
    const existing = this.templates.get(checkout);
    if (existing) return existing;
    const name = `template_portage_${this.templates.size + 1}`;
    await this.postgres.createDatabase(name);
    const url = this.postgres.url(name);
    const env = { ...this.env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url };
    const command = async (script: string, ...args: string[]) =>
      (
        await execFileAsync(process.execPath, [compiledPath(script, checkout), ...args], {
          env,
          timeout: COMMAND_TIMEOUT_MS,
        })
      ).stdout;
    const operator = async (...args: string[]) => command('apps/cli/src/main.js', ...args, '--json');
    await command('apps/cli/src/migrate.js');
    await operator('organisation', 'create', ORGANISATION);
    await operator('supplier', 'create', SUPPLIER, '--organisation', ORGANISATION);
    const issued = await operator('api-key', 'issue', '--organisation', ORGANISATION);
    const template = { name, apiKey: (JSON.parse(issued) as { api_key: string }).api_key };
    this.templates.set(checkout, template);
    return template;
  }
}

/** Version, origin and compression of the server. */
async function describePostgres(url: string, binaries: string | undefined): Promise<string> {
  const [server] = await query<{ version: string; lz4: boolean }>(
    url,
    `SELECT current_setting('server_version') AS version, 'lz4' = ANY (enumvals) AS lz4
     FROM pg_settings WHERE name = 'default_toast_compression'`,
  );
  return `${server?.version} (${binaries ?? 'embedded'}, ${server?.lz4 ? 'with' : 'without'} lz4)`;
}

/** An environment without the caller's variables, so that every setting has its documented default. */
function productionEnvironment(directory: string): NodeJS.ProcessEnv {
  // eslint-disable-next-line no-restricted-syntax -- child processes need PATH and HOME
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    NODE_ENV: 'production',
    PORTAGE_DIR: join(directory, 'portage'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
  };
}
