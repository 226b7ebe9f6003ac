import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { freePort, ServiceProcess } from '@portage/local-environment';
import { newRedisDatabase, type TestedBackend } from './backends';
import { builtProgram } from './built-programs';
import { OperatorCommands } from './operator-commands';
import { newDatabase } from './template-database';

/** Waits in tests are short: what takes half a minute in production takes moments here. */
const QUICK: NodeJS.ProcessEnv = {
  JOB_LOCK_MS: '1000',
  SWEEP_INTERVAL_MS: '300',
  SWEEP_AFTER_MS: '1000',
  SHUTDOWN_GRACE_MS: '300',
  ENQUEUE_TIMEOUT_MS: '500',
  LOG_LEVEL: 'info',
  LOG_DELAY_MS: '0',
};

/** What the metrics of API and worker are read with. */
export const METRICS_TOKEN = 'the-token-of-these-metrics';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
  body: any;
  text: string;
}

export interface StartOptions {
  backend: TestedBackend;
  workers?: number;
  env?: NodeJS.ProcessEnv;
  /** An address of its own, for tests that stop Redis. */
  redisUrl?: string;
  /** A migrated database of its own, for tests that stop PostgreSQL. */
  databaseUrl?: string;
  /** The waits that production has by default, for tests that measure them. */
  waits?: 'quick' | 'default';
  withoutApi?: boolean;
}

/** A whole Portage for one test file: a database of its own, real API and worker processes, a supplier and a key. */
export class TestPortage {
  readonly workers: ServiceProcess[] = [];
  api: ServiceProcess | undefined;
  baseUrl = '';
  /** Health and metrics of the worker that was started last. */
  workerUrl = '';
  apiKey = '';
  token = '';
  readonly supplier = 'LEGACY';
  private readonly commands: OperatorCommands;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  private constructor(
    readonly databaseUrl: string,
    readonly directory: string,
    readonly env: NodeJS.ProcessEnv,
  ) {
    this.commands = new OperatorCommands(env);
  }

  static async start(options: StartOptions): Promise<TestPortage> {
    const databaseUrl = options.databaseUrl ?? (await newDatabase());
    const directory = mkdtempSync(join(tmpdir(), 'portage-e2e-'));
    const redisUrl = options.redisUrl ?? (await newRedisDatabase(options.backend));
    const { PATH, HOME } = process.env;
    const waits = options.waits === 'default' ? {} : QUICK;
    const own = { DATABASE_URL: databaseUrl, PORTAGE_DIR: directory, METRICS_TOKEN };
    const env = { PATH, HOME, ...waits, ...own, ...options.env };
    const portage = new TestPortage(databaseUrl, directory, redisUrl ? { ...env, REDIS_URL: redisUrl } : env);
    try {
      await portage.prepare(options);
    } catch (error) {
      await portage.stop();
      throw error;
    }
    return portage;
  }

  private async prepare(options: StartOptions): Promise<void> {
    await this.operator('organisation', 'create', 'Supplier Ltd');
    const [{ api_key: apiKey }] = await Promise.all([
      this.operator('api-key', 'issue', '--organisation', 'Supplier Ltd'),
      this.operator('supplier', 'create', this.supplier, '--organisation', 'Supplier Ltd'),
    ]);
    this.apiKey = apiKey;
    await Promise.all([
      options.withoutApi ? undefined : this.startApi(),
      ...Array.from({ length: options.workers ?? 1 }, async () => this.startWorker()),
    ]);
  }

  async startApi(): Promise<void> {
    const port = this.baseUrl ? Number(new URL(this.baseUrl).port) : await freePort();
    this.api = await this.launch('api', { API_PORT: String(port) }, port);
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.token = await this.obtainToken(this.apiKey);
  }

  async startWorker(env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const port = await freePort();
    const worker = await this.launch('worker', { WORKER_PORT: String(port), ...env }, port);
    this.workers.push(worker);
    this.workerUrl = `http://127.0.0.1:${port}`;
    return worker;
  }

  async obtainToken(apiKey: string): Promise<string> {
    const { body } = await this.graphql(
      'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }',
      { input: { APIKey: apiKey } },
    );
    return body.data.obtainPlatformToken.token;
  }

  async graphql(query: string, variables: object): Promise<Answer> {
    return this.send('POST', '/v1/graphql/', {
      body: { query, variables },
      headers: { authorization: undefined },
    });
  }

  async get(path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  async post(path: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.send('POST', path, { body, headers });
  }

  /** Sends a request with the token that its address asks for. A body that is text or bytes goes as it is. */
  async send(
    method: string,
    path: string,
    {
      body,
      headers = {},
      baseUrl = this.baseUrl,
    }: { body?: unknown; headers?: Record<string, string | undefined>; baseUrl?: string } = {},
  ): Promise<Answer> {
    const sent =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all: Record<string, string | undefined> = {
      authorization: path.startsWith('/metrics') ? `Bearer ${METRICS_TOKEN}` : `Token ${this.token}`,
      ...(sent === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
      ...headers,
    };
    const given = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        baseUrl + path,
        { method, headers: given, agent: this.agent, timeout: 30_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            let parsed: unknown;
            try {
              parsed = JSON.parse(text);
            } catch {
              parsed = undefined;
            }
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed, text });
          });
        },
      );
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error('The API did not answer within 30 s.')));
      request.end(sent);
    });
  }

  async schedule(account: object): Promise<Answer> {
    return this.post('/v2/data-import/accounts/', account);
  }

  async status(identifier: string): Promise<Answer> {
    return this.get(`/v2/data-import/accounts/${this.supplier}/${encodeURIComponent(identifier)}/`);
  }

  /** Runs an operator's command with --json and returns what it printed. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was printed
  async operator(...args: string[]): Promise<any> {
    return JSON.parse(await this.commands.run(...args, '--json'));
  }

  async cli(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [builtProgram('cli'), ...args],
        { env: this.env, maxBuffer: 64 << 20 },
        (error, stdout, stderr) => {
          resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr });
        },
      );
    });
  }

  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Everything that is in the Redis database of this Portage, as text; empty on the PostgreSQL backend. */
  async redisContents(): Promise<string> {
    const url = this.env['REDIS_URL'];
    if (!url) return '';
    const redis = new Redis(url);
    try {
      const contents: unknown[] = [];
      for (const key of await redis.keys('*')) {
        const type = await redis.type(key);
        if (type === 'string') contents.push([key, await redis.get(key)]);
        else if (type === 'hash') contents.push([key, await redis.hgetall(key)]);
        else if (type === 'list') contents.push([key, await redis.lrange(key, 0, -1)]);
        else if (type === 'set') contents.push([key, await redis.smembers(key)]);
        else if (type === 'zset') contents.push([key, await redis.zrange(key, 0, -1)]);
        else contents.push([key, await redis.xrange(key, '-', '+')]);
      }
      return JSON.stringify(contents);
    } finally {
      redis.disconnect();
    }
  }

  /** Waits until as many processes have the status, and fails with what there is instead. */
  async waitFor(status: string, count: number, milliseconds = 30_000): Promise<void> {
    const until = Date.now() + milliseconds;
    for (;;) {
      const rows = await this.sql<{ status: string; count: number }>(
        'SELECT status, count(*)::int AS count FROM import_process GROUP BY status',
      );
      if (rows.find((row) => row.status === status)?.count === count) return;
      if (Date.now() > until)
        throw new Error(`Waited for ${count} ${status}, found ${JSON.stringify(rows)}.`);
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    this.commands.stop();
    const services = [...this.workers, ...(this.api ? [this.api] : [])];
    await Promise.all(services.map(async (service) => service.stop(10_000)));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async launch(
    part: 'api' | 'worker',
    env: NodeJS.ProcessEnv,
    port: number,
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.launch({
      name: part,
      script: builtProgram(part),
      env: { ...this.env, ...env },
      logFile: join(this.directory, `${part}-${port}.log`),
      readyUrl: `http://127.0.0.1:${port}/health/${part === 'api' ? 'ready' : 'live'}`,
    });
    await service.ready();
    return service;
  }
}
