import { join } from 'node:path';
import type { Config } from '@portage/platform';
import { freePort, ServiceProcess } from '@portage/testing/local-environment';
import { mainScript } from './paths';
import { printLine } from './progress';
import { StartError } from './start-error';

/** Loopback addresses and private networks. */
const OWN_NETWORKS = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fd00::/8';

/** The API and the worker of the demo, as child processes. Their logs are in the demo's directory. */
export class DemoServices {
  private readonly services: ServiceProcess[] = [];

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
        service.waitUntilReady().catch((error: unknown) => {
          throw StartError.from(error);
        }),
      ),
    );
    return baseUrl;
  }

  /** Resolves with the service that ends first. Never resolves if none was started. */
  async firstExit(): Promise<ServiceProcess> {
    return Promise.race(this.services.map(async (service) => service.exited.then(() => service)));
  }

  /** Lets both services finish their work and stops them. Idempotent. */
  async stop(): Promise<void> {
    const services = this.services.splice(0);
    if (services.length > 0) printLine('Stopping API and worker ...');
    await Promise.all(services.map((service) => service.stop()));
  }

  private launch(
    name: string,
    app: 'api' | 'worker',
    env: NodeJS.ProcessEnv,
    readyUrl: string,
  ): ServiceProcess {
    const logFile = join(this.directory, `${app}.log`);
    return ServiceProcess.launch({ name, script: mainScript(app), env, readyUrl, logFile });
  }
}
