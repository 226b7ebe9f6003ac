import { join } from 'node:path';
import { freePort, ServiceProcess } from '@portage/testing/local-environment';
import { LoadGenerator } from '../load';
import { compiledPath } from './checkout';
import { processorTime } from './processor-time';
import type { Program } from './program';

/** Milliseconds of CPU time by process. */
export interface ProcessorTimes {
  api: number;
  worker: number;
  postgres: number;
  redis: number;
  /** The load generator, which does not exist in production. */
  load: number;
}

/** The CPU time between two readings, for each of `count` accounts or requests. */
export function timesPer(before: ProcessorTimes, after: ProcessorTimes, count: number): ProcessorTimes {
  const each = (part: keyof ProcessorTimes) => (after[part] - before[part]) / count;
  return {
    api: each('api'),
    worker: each('worker'),
    postgres: each('postgres'),
    redis: each('redis'),
    load: each('load'),
  };
}

/** CPU time of all processes of an installation, without the load generator. */
export function sumOf({ api, worker, postgres, redis }: ProcessorTimes): number {
  return api + worker + postgres + redis;
}

/** The environment of the started programs. */
export interface RunEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly apiKey: string;
  readonly logDirectory: string;
  /** Process ids of the servers. */
  readonly servers: { readonly postgres: number; readonly redis: number | undefined };
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

/** The API and the workers of a program as child processes. */
export class RunningProgram {
  private api: ServiceProcess | undefined;
  private readonly workers: ServiceProcess[] = [];
  private headers: Record<string, string> = {};
  baseUrl = '';

  constructor(
    readonly program: Program,
    private readonly environment: RunEnvironment,
  ) {}

  get workerCount(): number {
    return this.workers.length;
  }

  /** The headers with the token of the benchmark's organisation. */
  get authorization(): Readonly<Record<string, string>> {
    return this.headers;
  }

  async startApi(): Promise<void> {
    const port = await freePort();
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.api = await this.launch('api', this.program.api, port, { API_PORT: String(port) });
    if (this.program.needsToken) this.headers = { authorization: `Token ${await this.obtainToken()}` };
  }

  /** Adds workers. */
  async startWorkers(count: number): Promise<void> {
    const script = this.program.worker;
    const launch = async () => {
      const port = await freePort();
      this.workers.push(await this.launch('worker', script, port, { WORKER_PORT: String(port) }));
    };
    // Sequentially, because two concurrent searches for a free port may find the same one.
    for (let nth = 0; nth < count; nth += 1) await launch();
  }

  /** Creates a load generator that sends requests to the API with its token. The caller closes it. */
  load(connections: number): LoadGenerator {
    return new LoadGenerator(this.baseUrl, connections, this.headers);
  }

  /** CPU time since the start of the processes. The difference of two readings is the time between them. */
  processorTimes(): ProcessorTimes {
    const { postgres, redis } = this.environment.servers;
    const { user, system } = process.cpuUsage();
    return {
      api: processorTime(this.api?.pid ?? NaN),
      worker: this.workers.reduce((sum, { pid }) => sum + processorTime(pid ?? NaN), 0),
      postgres: processorTime(postgres),
      redis: redis === undefined ? 0 : processorTime(redis),
      load: (user + system) / 1_000,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map(async (service) => service?.stop(STOP_TIMEOUT_MS)));
  }

  kill(): void {
    for (const service of [this.api, ...this.workers]) service?.kill();
  }

  private async launch(
    part: 'api' | 'worker',
    script: string,
    port: number,
    env: NodeJS.ProcessEnv,
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.launch({
      name: `${part} of ${this.program.name}`,
      script: compiledPath(script, this.program.checkout),
      env: { ...this.environment.env, ...env },
      logFile: join(this.environment.logDirectory, `${part}.log`),
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
    });
    try {
      await service.waitUntilReady(START_TIMEOUT_MS);
    } catch (error) {
      service.kill();
      throw error;
    }
    return service;
  }

  private async obtainToken(): Promise<string> {
    const query =
      'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }';
    const response = await fetch(`${this.baseUrl}/v1/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input: { APIKey: this.environment.apiKey } } }),
      signal: AbortSignal.timeout(START_TIMEOUT_MS),
    });
    const { data } = (await response.json()) as { data: { obtainPlatformToken: { token: string } } };
    return data.obtainPlatformToken.token;
  }
}
