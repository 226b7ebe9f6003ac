import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Answer } from '../answer';
import { REPOSITORY } from '../built-programs';
import { freePort, ServiceProcess } from '@portage/local-environment';
import { METRICS_TOKEN, PortageClient } from '../portage-client';
import { FaultProxy } from './fault-proxy';
import { type ServerNeeds, Servers } from './servers';

/** Intervals and timeouts that are seconds to minutes by default. */
const SHORT_WAITS: NodeJS.ProcessEnv = {
  JOB_LOCK_MS: '1000',
  SWEEP_INTERVAL_MS: '300',
  SWEEP_AFTER_MS: '1000',
  SHUTDOWN_GRACE_MS: '300',
  LOG_LEVEL: 'info',
  NODE_ENV: 'test',
};

/** API instances that start at once on one PORTAGE_DIR must not each make a secret of their own. */
const TOKEN_SECRET = 'the-token-secret-of-all-programs-of-this-installation';
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 45_000;
const COMMAND_TIMEOUT_MS = 180_000;

/** What an installation shall have. */
export interface InstallationNeeds extends ServerNeeds {
  /** Default: one. */
  apis?: number;
  /** Default: one. */
  workers?: number;
  /** The directory of the built checkout whose programs and migrations are used. Default: this one. */
  checkout?: string;
  /** Without an organisation, a supplier and a key. With `postgres`, the database has nothing but its schema. */
  isEmpty?: boolean;
  /** Puts a proxy between each program and each server. The function makes its random choices. */
  proxies?: () => number;
  /** Settings of all programs and of the command line. */
  env?: NodeJS.ProcessEnv;
  /** Settings of single programs, by their names, such as `worker-1`. */
  envOf?: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** `default` keeps the production defaults, for tests that measure them. Default: quick. */
  waits?: 'quick' | 'default';
}

/** How a single program differs from the others. */
interface ProgramOptions {
  env?: NodeJS.ProcessEnv;
  /** The directory of another built checkout. */
  checkout?: string;
  /** Another script than the main one of the API or the worker. */
  script?: string;
}

/** A proxy between a program and a server. */
interface PlacedProxy {
  program: string;
  to: 'postgres' | 'redis';
  proxy: FaultProxy;
}

/** The end of a program after SIGTERM. */
interface Stop {
  name: string;
  /** Null for a program that had to be killed. */
  status: number | null;
  milliseconds: number;
}

/**
 * Portage as processes: a database, API instances and workers, a supplier and an API key. The servers are those of this
 * run of jest, or of the installation's own. {@link stop} leaves nothing behind, in any state.
 *
 * @example
 * const installation = await Installation.start({ backend: 'redis', postgres: {}, apis: 2, proxies: seededRandom(1) });
 */
export class Installation extends PortageClient {
  /** All API instances, in the order of their starts. */
  readonly apis: ServiceProcess[] = [];
  /** All workers, in the order of their starts. */
  readonly workers: ServiceProcess[] = [];
  private readonly placed: PlacedProxy[] = [];
  private readonly ports = new Map<string, number>();

  private constructor(
    private readonly needs: InstallationNeeds,
    readonly servers: Servers,
    directory: string,
    env: NodeJS.ProcessEnv,
  ) {
    super(servers.database.ownerUrl, directory, env, 'Supplier Ltd', 'LEGACY');
  }

  static async start(needs: InstallationNeeds): Promise<Installation> {
    const directory = mkdtempSync(join(tmpdir(), 'portage-'));
    let servers: Servers;
    try {
      servers = await Servers.start(needs, directory);
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
    const { PATH, HOME } = process.env;
    const env: NodeJS.ProcessEnv = {
      PATH,
      HOME,
      ...(needs.waits === 'default' ? {} : SHORT_WAITS),
      ...(needs.postgres && { NODE_ENV: 'test', TOKEN_SECRET }),
      PORTAGE_DIR: directory,
      METRICS_TOKEN,
      ...servers.env,
      ...needs.env,
    };
    const installation = new Installation(needs, servers, directory, env);
    try {
      await installation.prepare();
    } catch (error) {
      await installation.stop();
      throw error;
    }
    return installation;
  }

  /**
   * Starts before the cases of the file or block that calls this, and stops after them.
   *
   * @param needs a function is called after the hooks before this call
   */
  static use(
    needs: InstallationNeeds | (() => InstallationNeeds | Promise<InstallationNeeds>),
  ): Installation {
    const installation = Object.create(Installation.prototype) as Installation;
    beforeAll(async () => {
      const given = typeof needs === 'function' ? await needs() : needs;
      Object.assign(installation, await Installation.start(given));
    });
    afterAll(async () => installation.stop());
    return installation;
  }

  /** The API that was started first. */
  get api(): ServiceProcess | undefined {
    return this.apis[0];
  }

  /** All programs. */
  get programs(): ServiceProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Health and metrics of the worker that was started last. */
  get workerUrl(): string {
    return this.workers.at(-1)?.baseUrl ?? '';
  }

  /** The proxies to one of the servers, or to both; of all programs, or of those with these names. */
  proxies(to?: PlacedProxy['to'], names?: readonly string[]): FaultProxy[] {
    return this.placed
      .filter((one) => (to === undefined || one.to === to) && (names?.includes(one.program) ?? true))
      .map(({ proxy }) => proxy);
  }

  /** Starts the first API, also again, with its address. */
  async startApi(): Promise<void> {
    const api = await this.launch('api-1');
    this.baseUrl = api.baseUrl;
    this.token = await this.obtainToken(this.apiKey);
  }

  /** Starts another API. */
  async addApi(env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    return this.launch(`api-${this.count('api') + 1}`, { env });
  }

  /** Starts another worker. */
  async startWorker(env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    return this.launch(`worker-${this.count('worker') + 1}`, { env });
  }

  /** Starts a program and waits until it is ready. A name that had been started gets the same address. */
  async launch(name: string, options: ProgramOptions = {}): Promise<ServiceProcess> {
    const kind = name.startsWith('api') ? 'api' : 'worker';
    const port = this.ports.get(name) ?? (await freePort());
    this.ports.set(name, port);
    const checkout = options.checkout ?? this.checkout;
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = ServiceProcess.launch({
      name,
      script: options.script ?? join(checkout, 'dist', 'apps', kind, 'src', 'main.js'),
      env: {
        ...this.env,
        ...(await this.throughProxies(name)),
        [kind === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port),
        ...this.needs.envOf?.[name],
        ...options.env,
      },
      logFile: join(this.directory, `${name}.log`),
      // A worker of a suite that takes the queue away is ready later.
      readyUrl: `${baseUrl}/health/${kind === 'api' || this.needs.postgres ? 'ready' : 'live'}`,
    });
    const programs = kind === 'api' ? this.apis : this.workers;
    const former = programs.findIndex((program) => program.name === name);
    programs.splice(former < 0 ? programs.length : former, former < 0 ? 0 : 1, service);
    await service.waitUntilReady(START_TIMEOUT_MS);
    return service;
  }

  /** Sends SIGTERM to these programs at once, by default to all, and waits for their ends. */
  async stopPrograms(programs: readonly ServiceProcess[] = this.programs): Promise<Stop[]> {
    return Promise.all(
      programs.map(async (service) => {
        const since = performance.now();
        const isClean = await service.stop(STOP_TIMEOUT_MS);
        const status = await service.exited;
        return {
          name: service.name,
          status: isClean ? status : null,
          milliseconds: performance.now() - since,
        };
      }),
    );
  }

  /** Kills programs like a crash. @throws Error if one had ended by itself */
  async kill(...programs: readonly ServiceProcess[]): Promise<void> {
    await Promise.all(
      programs.map(async (program) => {
        program.kill();
        // A process that was ended by a signal has no exit status.
        const status = await program.exited;
        if (status !== null) throw new Error(`${program.name} had ended with status ${status} before.`);
      }),
    );
  }

  /** Migrates the database, also beside programs that run. */
  async migrate(checkout = this.checkout): Promise<void> {
    const { ownerUrl, url } = this.servers.database;
    await this.run(checkout, 'migrate', [], {
      MIGRATION_DATABASE_URL: ownerUrl,
      ...(this.needs.postgres?.pooler && { DIRECT_DATABASE_URL: url }),
    });
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as in PortageClient
  override async operator(...args: string[]): Promise<any> {
    // Another release brings its own commands.
    return this.checkout === REPOSITORY ? super.operator(...args) : this.command(this.checkout, ...args);
  }

  /** Runs an operator's command of a built checkout. @returns its JSON */
  async command(checkout: string, ...args: string[]): Promise<unknown> {
    return JSON.parse(await this.run(checkout, 'main', [...args, '--json']));
  }

  /** Another release has a document of its own. */
  override async differencesFromDocument(method: string, path: string, answer: Answer): Promise<string[]> {
    return this.checkout === REPOSITORY ? super.differencesFromDocument(method, path, answer) : [];
  }

  /** Statements of the test itself, at the server that accepts writes. */
  override async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { standby } = this.servers;
    // On an overloaded machine a promotion takes long.
    await standby?.untilPromoted();
    return standby?.isPromoted ? standby.run<Row>('portage', text, values) : super.sql<Row>(text, values);
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await Promise.all(this.programs.map(async (service) => service.stop(10_000)));
    for (const { proxy } of this.placed) await proxy.stop();
    await this.servers.stop();
    if (!process.env['KEEP_INSTALLATION']) rmSync(this.directory, { recursive: true, force: true });
  }

  private get checkout(): string {
    return this.needs.checkout ?? REPOSITORY;
  }

  private count(kind: 'api' | 'worker'): number {
    return [...this.ports.keys()].filter((name) => name.startsWith(kind)).length;
  }

  private async prepare(): Promise<void> {
    const { apis = 1, workers = 1, postgres, isEmpty = false } = this.needs;
    if (postgres) {
      await this.migrate();
      await this.servers.afterMigration(postgres, this.directory);
      Object.assign(this.env, this.servers.env, this.needs.env);
    }
    if (!isEmpty) this.apiKey = this.servers.database.apiKey ?? (await this.createSupplier());
    const names = [
      ...Array.from({ length: apis }, (_, index) => `api-${index + 1}`),
      ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`),
    ];
    // One after another: two searches at once may find the same port.
    for (const name of names) this.ports.set(name, await freePort());
    await Promise.all(names.map(async (name) => this.launch(name)));
    if (apis === 0) return;
    this.baseUrl = this.api!.baseUrl;
    if (!isEmpty) this.token = await this.obtainToken(this.apiKey);
  }

  /** The settings of a program that leads to its servers through proxies, which its earlier starts have used. */
  private async throughProxies(program: string): Promise<NodeJS.ProcessEnv> {
    const { proxies: random } = this.needs;
    const { DATABASE_URL = '', REDIS_URL } = this.env;
    if (!random) return {};
    const { standby } = this.servers;
    const through = async (to: PlacedProxy['to'], url: string) => {
      const existing = this.placed.find((one) => one.program === program && one.to === to);
      if (existing) return existing.proxy.through(url);
      const proxy = await FaultProxy.start(url, random);
      this.placed.push({ program, to, proxy });
      return proxy.through(url);
    };
    const database = await through('postgres', DATABASE_URL);
    return {
      DATABASE_URL: standby?.urlFor(database) ?? database,
      // Sentinels and nodes of a cluster name the addresses of servers, so a proxy cannot stand before them.
      ...(REDIS_URL?.startsWith('redis://') && { REDIS_URL: await through('redis', REDIS_URL) }),
    };
  }

  private async run(
    checkout: string,
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const script = join(checkout, 'dist', 'apps', 'cli', 'src', `${program}.js`);
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
      env: { ...this.env, ...env },
      timeout: COMMAND_TIMEOUT_MS,
    });
    return stdout;
  }
}
