import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  builtProgram,
  METRICS_TOKEN,
  PortageClient,
  RedisDeployment,
  type RedisDeploymentOptions,
  type RedisServer,
  startRedis,
  stopRedis,
  type TestedBackend,
} from '@portage/testing';
import { EmbeddedPostgres, freePort, ServiceProcess } from '@portage/testing/local-environment';
import { FaultProxy } from './proxy';
import { ReplicatedPostgres, type Replication } from './replicated-postgres';

const APPLICATION = 'portage_app:application';

/** An API or a worker, with a proxy of its own to each server that it uses. */
export interface Instance {
  name: string;
  kind: 'api' | 'worker';
  baseUrl: string;
  postgres: FaultProxy;
  /** Undefined with the queue in PostgreSQL. */
  redis: FaultProxy | undefined;
  service: ServiceProcess;
}

export interface ConditionsOptions {
  backend: TestedBackend;
  random: () => number;
  apis?: number;
  workers?: number;
  /** Adds a standby, which {@link ConditionsEnvironment.replacePrimary} promotes. */
  standby?: Replication;
  /** Default: one server, with a proxy before it for each process. */
  redis?: RedisDeploymentOptions;
  /** Environment of one instance, by its name, such as `worker-1`. */
  env?: Readonly<Record<string, NodeJS.ProcessEnv>>;
}

/** The end of an instance after SIGTERM. */
export interface Stop {
  name: string;
  status: number | null;
  milliseconds: number;
}

/**
 * API instances, workers, PostgreSQL and Redis as in production: all settings have their defaults, the application has a
 * role of its own, and a proxy stands between each process and each server.
 */
export class ConditionsEnvironment extends PortageClient {
  readonly instances: Instance[] = [];
  /** Set with `redis` of the options only. */
  deployment: RedisDeployment | undefined;

  private constructor(
    databaseUrl: string,
    directory: string,
    env: NodeJS.ProcessEnv,
    private readonly options: ConditionsOptions,
    private readonly postgres: EmbeddedPostgres,
    private readonly redis: RedisServer | undefined,
    readonly servers: ReplicatedPostgres | undefined,
  ) {
    super(databaseUrl, directory, env, 'Supplier Ltd', 'LEGACY');
  }

  static async start(options: ConditionsOptions): Promise<ConditionsEnvironment> {
    const directory = mkdtempSync(join(tmpdir(), 'portage-conditions-'));
    const postgres = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: 'test',
    });
    const deployment = options.redis && (await RedisDeployment.start(options.redis));
    const redis = options.backend === 'redis' && !options.redis ? await startRedis() : undefined;
    await postgres.createDatabase('portage');
    const owner = postgres.url('portage');
    const [username = '', password = ''] = APPLICATION.split(':');
    const { PATH, HOME } = process.env;
    const env: NodeJS.ProcessEnv = {
      PATH,
      HOME,
      NODE_ENV: 'test',
      PORTAGE_DIR: directory,
      METRICS_TOKEN,
      LOG_LEVEL: 'info',
      TOKEN_SECRET: 'the-token-secret-of-all-instances-of-this-run',
      DATABASE_URL: postgres.urlAs(username, password, 'portage'),
      ...(redis ? { REDIS_URL: redis.url } : {}),
      ...(deployment ? { REDIS_URL: deployment.url } : {}),
    };
    execFileSync(process.execPath, [builtProgram('cli', 'migrate')], {
      env: { ...process.env, ...env, MIGRATION_DATABASE_URL: owner },
    });
    const servers =
      options.standby && (await ReplicatedPostgres.addStandby(postgres, directory, options.standby));
    const environment = new ConditionsEnvironment(owner, directory, env, options, postgres, redis, servers);
    environment.deployment = deployment;
    try {
      await environment.startInstances();
    } catch (error) {
      await environment.stop();
      throw error;
    }
    return environment;
  }

  get apis(): Instance[] {
    return this.instances.filter(({ kind }) => kind === 'api');
  }

  get workers(): Instance[] {
    return this.instances.filter(({ kind }) => kind === 'worker');
  }

  /** Statements of the test itself, at the server that accepts writes. */
  override async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    // On an overloaded machine a promotion takes long.
    await this.servers?.untilPromoted();
    return this.servers?.isPromoted
      ? this.servers.run<Row>('portage', text, values)
      : super.sql<Row>(text, values);
  }

  /** Sends SIGTERM to all instances at once, and waits for their ends. */
  async stopInstances(): Promise<Stop[]> {
    return Promise.all(
      this.instances.map(async ({ name, service }) => {
        const since = performance.now();
        const isClean = await service.stop(45_000);
        const status = await service.exited;
        return { name, status: isClean ? status : null, milliseconds: performance.now() - since };
      }),
    );
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await Promise.all(this.instances.map(async ({ service }) => service.stop(10_000)));
    for (const { postgres, redis } of this.instances) {
      await postgres.stop();
      await redis?.stop();
    }
    if (this.redis) stopRedis(this.redis);
    await this.servers?.stop();
    this.deployment?.stop();
    await this.postgres.stop('immediate');
    if (!process.env['KEEP_CONDITIONS']) rmSync(this.directory, { recursive: true, force: true });
  }

  private async startInstances(): Promise<void> {
    this.apiKey = await this.createSupplier();
    const { apis = 2, workers = 2 } = this.options;
    const names = [
      ...Array.from({ length: apis }, (_, index) => `api-${index + 1}`),
      ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`),
    ];
    // One that does not start is stopped with the others.
    this.instances.push(...(await Promise.all(names.map(async (name) => this.launch(name)))));
    await Promise.all(this.instances.map(async ({ service }) => service.waitUntilReady(120_000)));
    this.baseUrl = this.apis[0]!.baseUrl;
    this.token = await this.obtainToken(this.apiKey);
  }

  private async launch(name: string): Promise<Instance> {
    const kind = name.startsWith('api') ? 'api' : 'worker';
    const { random, env = {} } = this.options;
    const { DATABASE_URL = '', REDIS_URL } = this.env;
    const port = await freePort();
    const postgres = await FaultProxy.start(DATABASE_URL, random);
    // Sentinels and nodes of a cluster name the addresses of servers, so a proxy cannot stand before them.
    const redis = REDIS_URL && !this.deployment ? await FaultProxy.start(REDIS_URL, random) : undefined;
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = ServiceProcess.launch({
      name,
      script: builtProgram(kind),
      env: {
        ...this.env,
        ...(kind === 'api' ? { API_PORT: String(port) } : { WORKER_PORT: String(port) }),
        DATABASE_URL: this.servers?.urlFor(postgres.through(DATABASE_URL)) ?? postgres.through(DATABASE_URL),
        ...(redis && REDIS_URL ? { REDIS_URL: redis.through(REDIS_URL) } : {}),
        ...env[name],
      },
      logFile: join(this.directory, `${name}.log`),
      readyUrl: `${baseUrl}/health/ready`,
    });
    return { name, kind, baseUrl, postgres, redis, service };
  }
}
