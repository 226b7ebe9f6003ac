import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@portage/platform';
import { freePort, type ServiceOptions, ServiceProcess } from '@portage/local-environment';
import { mainScript } from './paths';
import { printLine, printMessage } from './progress';
import { StartError } from './start-error';

/** Loopback addresses and private networks. */
const OWN_NETWORKS = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fd00::/8';

/** Pause before a service that has ended is started again. It doubles while the service does not become ready. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** A service and its process, which is another one after each end. */
interface Service {
  options: ServiceOptions;
  process: ServiceProcess;
  /** Aborted when the service starts again because its files have changed. */
  changed: AbortController;
}

/**
 * The API and the worker of the demo, as child processes. One that ends is started again. Their logs are in the demo's
 * directory.
 */
export class DemoServices {
  private readonly services: Service[] = [];
  private readonly stopping = new AbortController();

  constructor(private readonly directory: string) {}

  /**
   * Starts both services, on free ports if the configured ones are in use, and waits until they are ready.
   *
   * @param env further variables for both services
   * @returns the base URL of the API
   * @throws StartError if one of them does not become ready
   */
  async start(config: Config, env: NodeJS.ProcessEnv): Promise<string> {
    const apiPort = await freePort(config.API_PORT);
    const workerPort = await freePort(config.WORKER_PORT === apiPort ? 0 : config.WORKER_PORT);
    const serviceEnv: NodeJS.ProcessEnv = {
      // So that webhooks can be tried with a receiver on this machine, or on another one of its network.
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: OWN_NETWORKS,
      ...env,
      DATABASE_URL: config.DATABASE_URL,
      // The services do not get the password of the role that owns the tables.
      MIGRATION_DATABASE_URL: '',
      PORTAGE_DIR: this.directory,
      API_PORT: String(apiPort),
      WORKER_PORT: String(workerPort),
    };
    const baseUrl = `http://${config.API_HOST}:${apiPort}`;
    const workerUrl = `http://${config.WORKER_HOST}:${workerPort}`;
    this.services.push(
      this.launch('API', 'api', serviceEnv, `${baseUrl}/health/ready`),
      this.launch('Worker', 'worker', serviceEnv, `${workerUrl}/health/ready`),
    );
    await Promise.all(
      this.services.map((service) =>
        service.process.waitUntilReady().catch((error: unknown) => {
          throw StartError.from(error);
        }),
      ),
    );
    for (const service of this.services) void this.keepRunning(service);
    return baseUrl;
  }

  /** Starts both services again at once: their files have changed. */
  restart(): void {
    for (const { process, changed } of this.services) {
      changed.abort();
      void process.stop();
    }
  }

  /** Lets both services finish their work and stops them. Idempotent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const services = this.services.splice(0);
    if (services.length > 0) printLine('Stopping API and worker ...');
    await Promise.all(services.map((service) => service.process.stop()));
  }

  /** Starts the service again whenever it ends, until {@link stop}. Never fails. */
  private async keepRunning(service: Service): Promise<void> {
    const { name, logFile } = service.options;
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.isStopping()) {
      const status = await service.process.exited;
      if (this.isStopping()) return;
      if (!service.changed.signal.aborted) {
        const how = status === null ? 'was killed' : `has ended with status ${status}`;
        printMessage(`\n${name} ${how} and is started again in ${pauseMs / 1_000} s. Its log: ${logFile}`);
        const signal = AbortSignal.any([this.stopping.signal, service.changed.signal]);
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
      if (this.isStopping()) return;
      service.changed = new AbortController();
      service.process = ServiceProcess.launch(service.options);
      const isReady = await service.process.waitUntilReady().then(
        () => true,
        () => false,
      );
      if (isReady) printMessage(`${name} runs again.`);
      pauseMs = isReady ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private launch(name: string, app: 'api' | 'worker', env: NodeJS.ProcessEnv, readyUrl: string): Service {
    const logFile = join(this.directory, `${app}.log`);
    const options = { name, script: mainScript(app), env, readyUrl, logFile };
    return { options, process: ServiceProcess.launch(options), changed: new AbortController() };
  }
}
