import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ServiceProcess } from './local-environment';
import { newRedisDatabase, type TestedBackend } from './backends';
import { builtProgram } from './built-programs';
import { METRICS_TOKEN, PortageClient } from './portage-client';
import { applicationUrl, newDatabase, SUPPLIER_TEMPLATE } from './template-database';

/** Intervals and timeouts that are seconds to minutes by default. */
const SHORT_WAITS: NodeJS.ProcessEnv = {
  JOB_LOCK_MS: '1000',
  SWEEP_INTERVAL_MS: '300',
  SWEEP_AFTER_MS: '1000',
  SHUTDOWN_GRACE_MS: '300',
  LOG_LEVEL: 'info',
  NODE_ENV: 'test',
};

export interface StartOptions {
  backend: TestedBackend;
  workers?: number;
  env?: NodeJS.ProcessEnv;
  /** A Redis server of the test's own, for tests that stop it. */
  redisUrl?: string;
  /** A migrated database on a server of the test's own, for tests that stop it. */
  databaseUrl?: string;
  /** `default` keeps the production defaults, for tests that measure them. */
  waits?: 'quick' | 'default';
}

/** A Portage for one test file: a database of its own, API and worker processes, a supplier and an API key. */
export class TestPortage extends PortageClient {
  readonly workers: ServiceProcess[] = [];
  api: ServiceProcess | undefined;
  /** Health and metrics of the worker that was started last. */
  workerUrl = '';

  static async start(options: StartOptions): Promise<TestPortage> {
    const { databaseUrl = await newDatabase(SUPPLIER_TEMPLATE) } = options;
    const directory = mkdtempSync(join(tmpdir(), 'portage-e2e-'));
    const redisUrl = options.redisUrl ?? (await newRedisDatabase(options.backend));
    const { PATH, HOME } = process.env;
    const waits = options.waits === 'default' ? {} : SHORT_WAITS;
    // A server of the test's own has no role for the application.
    const url = options.databaseUrl ?? applicationUrl(databaseUrl);
    const own = { DATABASE_URL: url, PORTAGE_DIR: directory, METRICS_TOKEN };
    const env = {
      PATH,
      HOME,
      ...waits,
      ...own,
      ...options.env,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    };
    const portage = new TestPortage(databaseUrl, directory, env, 'Supplier Ltd', 'LEGACY');
    try {
      await portage.prepare(options);
    } catch (error) {
      await portage.stop();
      throw error;
    }
    return portage;
  }

  private async prepare({ databaseUrl, workers = 1 }: StartOptions): Promise<void> {
    this.apiKey = databaseUrl ? await this.createSupplier() : process.env['PORTAGE_TEST_API_KEY']!;
    await Promise.all([this.startApi(), ...Array.from({ length: workers }, async () => this.startWorker())]);
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

  async stop(): Promise<void> {
    await this.disconnect();
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
    await service.waitUntilReady();
    return service;
  }
}
