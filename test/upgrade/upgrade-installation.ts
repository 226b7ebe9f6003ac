import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  METRICS_TOKEN,
  type RedisServer,
  startRedis,
  stopRedis,
  type TestedBackend,
  until,
} from '@portage/testing';
import { EmbeddedPostgres, freePort, ServiceProcess } from '@portage/testing/local-environment';
import { Pool } from 'pg';

/** The password of Bull Board in releases before operators, which later ones ignore. */
export const BOARD_PASSWORD = 'the-password-of-bull-board';

const APPLICATION = 'portage_app:application';
const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 2_000;
/** Requests are accepted for this long after SIGTERM, so that the probes notice it also on a busy machine. */
const GRACE_MS = 5_000;
const START_TIMEOUT_MS = 180_000;
const COMMAND_TIMEOUT_MS = 180_000;

/** The built programs of a release. */
export interface Release {
  name: string;
  directory: string;
}

/** A running API or worker of a release. */
export interface Program {
  name: string;
  kind: 'api' | 'worker';
  baseUrl: string;
  service: ServiceProcess;
}

/** One database and one queue, on which programs of two releases run. The application has a role of its own. */
export class UpgradeInstallation {
  readonly supplier = 'LEGACY';
  token = '';
  private apiKey = '';
  /** The exit statuses of the programs that were stopped; null for one that had to be killed. */
  readonly stops: { name: string; status: number | null }[] = [];
  /** API instances that the last probe found ready. A load balancer sends requests to these. */
  apis: readonly Program[] = [];
  private readonly programs = new Set<Program>();
  private readonly pool: Pool;
  private isProbing = true;

  private constructor(
    private readonly directory: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly redis: RedisServer | undefined,
  ) {
    this.pool = new Pool({ connectionString: this.ownerUrl, max: 2 });
    this.pool.on('error', () => undefined);
    void this.probeRepeatedly();
  }

  static async start(backend: TestedBackend): Promise<UpgradeInstallation> {
    const directory = mkdtempSync(join(tmpdir(), 'portage-upgrade-'));
    const postgres = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: 'test',
    });
    await postgres.createDatabase('portage');
    return new UpgradeInstallation(directory, postgres, backend === 'redis' ? await startRedis() : undefined);
  }

  private get ownerUrl(): string {
    return this.postgres.url('portage');
  }

  private get env(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    const [role = '', password = ''] = APPLICATION.split(':');
    return {
      PATH,
      HOME,
      NODE_ENV: 'test',
      PORTAGE_DIR: this.directory,
      METRICS_TOKEN,
      LOG_LEVEL: 'info',
      DATABASE_URL: this.postgres.urlAs(role, password, 'portage'),
      ...(this.redis && { REDIS_URL: this.redis.url }),
      TOKEN_SECRET: 'the-token-secret-of-all-programs-of-this-run',
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
      BULL_BOARD_PASSWORD: BOARD_PASSWORD,
    };
  }

  /** Migrates beside the programs that run. */
  async migrate(release: Release): Promise<void> {
    await this.run(release, 'migrate', [], { MIGRATION_DATABASE_URL: this.ownerUrl });
  }

  async createSupplier(release: Release): Promise<void> {
    await this.operate(release, 'organisation', 'create', 'Supplier Ltd');
    await this.operate(release, 'supplier', 'create', this.supplier, '--organisation', 'Supplier Ltd');
    const issued = await this.operate(release, 'api-key', 'issue', '--organisation', 'Supplier Ltd');
    this.apiKey = String(issued['api_key']);
  }

  /** Obtains the token of all clients. */
  async obtainToken({ baseUrl }: Program): Promise<void> {
    const query = 'mutation ($key: String!) { obtainPlatformToken(input: { APIKey: $key }) { token } }';
    const answer = await fetch(`${baseUrl}/v1/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { key: this.apiKey } }),
    });
    const { data } = (await answer.json()) as { data: { obtainPlatformToken: { token: string } } };
    this.token = data.obtainPlatformToken.token;
  }

  /** Runs a command of the operator. Returns its JSON. */
  async operate(release: Release, ...args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await this.run(release, 'main', [...args, '--json'])) as Record<string, unknown>;
  }

  private async run(
    { directory }: Release,
    program: string,
    args: readonly string[],
    more: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const script = join(directory, 'dist', 'apps', 'cli', 'src', `${program}.js`);
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
      env: { ...this.env, ...more },
      timeout: COMMAND_TIMEOUT_MS,
    });
    return stdout;
  }

  /** Starts a program and waits until it is ready, and an API until a probe has found that. */
  async launch(release: Release, kind: Program['kind'], more = ''): Promise<Program> {
    const name = `${kind} of ${release.name} ${more}`.trim();
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = ServiceProcess.launch({
      name,
      script: join(release.directory, 'dist', 'apps', kind, 'src', 'main.js'),
      env: { ...this.env, [kind === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port) },
      logFile: join(this.directory, `${name.replaceAll(/[^\w.]+/g, '-')}.log`),
      readyUrl: `${baseUrl}/health/ready`,
    });
    const program = { name, kind, baseUrl, service };
    this.programs.add(program);
    await service.waitUntilReady(START_TIMEOUT_MS);
    if (kind === 'api')
      await until(
        () => this.apis.includes(program),
        START_TIMEOUT_MS,
        () => `${name} was not found ready`,
      );
    return program;
  }

  async stop(...programs: readonly Program[]): Promise<void> {
    for (const program of programs) {
      const isInTime = await program.service.stop();
      this.stops.push({ name: program.name, status: isInTime ? await program.service.exited : null });
      this.programs.delete(program);
    }
  }

  async stopAll(): Promise<void> {
    await this.stop(...this.programs);
  }

  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Ends what still runs. */
  async end(): Promise<void> {
    this.isProbing = false;
    await Promise.all([...this.programs].map(async ({ service }) => service.stop(10_000)));
    await this.pool.end();
    if (this.redis) stopRedis(this.redis);
    await this.postgres.stop('immediate');
    if (!process.env['KEEP_UPGRADE']) rmSync(this.directory, { recursive: true, force: true });
  }

  private async probeRepeatedly(): Promise<void> {
    while (this.isProbing) {
      const apis = [...this.programs].filter(({ kind }) => kind === 'api');
      const ready = await Promise.all(apis.map(isReady));
      // As a load balancer does, which sends requests to the last ones if none answers in time.
      if (ready.includes(true)) this.apis = apis.filter((_api, index) => ready[index]);
      await sleep(PROBE_INTERVAL_MS);
    }
  }
}

async function isReady({ baseUrl }: Program): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const answer = await fetch(`${baseUrl}/health/ready`, { signal }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok ?? false;
}
