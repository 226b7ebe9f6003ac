import { join } from 'node:path';
import { freePort, ServiceProcess } from './local-environment';
import { builtProgram } from './built-programs';
import type { TestPortage } from './portage';

/** Another instance of the API on the same database. */
export class SecondApi {
  private constructor(
    readonly baseUrl: string,
    private readonly service: ServiceProcess,
  ) {}

  static async start(portage: TestPortage, env: NodeJS.ProcessEnv = {}): Promise<SecondApi> {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = ServiceProcess.launch({
      name: 'second api',
      script: builtProgram('api'),
      env: { ...portage.env, API_PORT: String(port), ...env },
      logFile: join(portage.directory, `api-${port}.log`),
      readyUrl: `${baseUrl}/health/ready`,
    });
    await service.waitUntilReady();
    return new SecondApi(baseUrl, service);
  }

  logTail(lines: number): string {
    return this.service.logTail(lines);
  }

  /** Stops the instance. Returns false if it had to be killed. */
  async stop(): Promise<boolean> {
    return this.service.stop(10_000);
  }
}
