import { join } from 'node:path';
import { freePort, ServiceProcess } from '@portage/local-environment';
import { LoadGenerator } from '../load';
import { compiled } from './checkout';
import { processorTime } from './processor-time';
import type { Program } from './program';

/** Milliseconds of processor time, by what has used it. */
export interface ProcessorTimes {
  api: number;
  worker: number;
  postgres: number;
  redis: number;
  /** The load generator, which nobody has in production. */
  load: number;
}

/** What programs run on. */
export interface Ground {
  readonly env: NodeJS.ProcessEnv;
  readonly apiKey: string;
  readonly logDirectory: string;
  /** Process ids. */
  readonly servers: { readonly postgres: number; readonly redis: number | undefined };
}

const START_MS = 60_000;
const STOP_MS = 30_000;

/** A program's API and workers as processes of their own. */
export class RunningProgram {
  private api: ServiceProcess | undefined;
  private readonly workers: ServiceProcess[] = [];
  private readonly loads: LoadGenerator[] = [];
  private headers: Record<string, string> = {};
  baseUrl = '';

  constructor(
    readonly program: Program,
    private readonly ground: Ground,
  ) {}

  get apiPid(): number {
    return this.api?.pid ?? NaN;
  }

  async startApi(): Promise<void> {
    const port = await freePort();
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.api = await this.launch('api', this.program.api, port, { API_PORT: String(port) });
    if (this.program.signsIn) this.headers = { authorization: `Token ${await this.obtainToken()}` };
  }

  async startWorkers(count: number, settings: NodeJS.ProcessEnv = {}): Promise<void> {
    const script = this.program.worker;
    if (count > 0 && script === undefined) throw new Error(`${this.program.name} has no worker.`);
    const launch = async () => {
      const port = await freePort();
      const env = { ...settings, WORKER_PORT: String(port) };
      this.workers.push(await this.launch('worker', script ?? '', port, env));
    };
    // One after the other: two that look for a free port at the same time may find the same.
    for (let nth = 0; nth < count; nth += 1) await launch();
  }

  /** Sends to the API, with the token that it asks for. */
  load(connections: number): LoadGenerator {
    const load = new LoadGenerator(this.baseUrl, connections, this.headers);
    this.loads.push(load);
    return load;
  }

  /** Since the processes were started: the difference of two readings says what happened between them. */
  processorTimes(): ProcessorTimes {
    const { postgres, redis } = this.ground.servers;
    const { user, system } = process.cpuUsage();
    return {
      api: processorTime(this.apiPid),
      worker: this.workers.reduce((sum, { pid }) => sum + processorTime(pid ?? NaN), 0),
      postgres: processorTime(postgres),
      redis: redis === undefined ? 0 : processorTime(redis),
      load: (user + system) / 1_000,
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.loads.map(async (load) => load.close()));
    await Promise.all([this.api, ...this.workers].map(async (service) => service?.stop(STOP_MS)));
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
      script: compiled(script),
      env: { ...this.ground.env, ...env },
      logFile: join(this.ground.logDirectory, `${part}.log`),
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
    });
    try {
      await service.ready(START_MS);
    } catch (error) {
      service.kill();
      throw error;
    }
    return service;
  }

  private async obtainToken(): Promise<string> {
    const query =
      'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }';
    const answer = await fetch(`${this.baseUrl}/v1/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input: { APIKey: this.ground.apiKey } } }),
      signal: AbortSignal.timeout(START_MS),
    });
    const { data } = (await answer.json()) as { data: { obtainPlatformToken: { token: string } } };
    return data.obtainPlatformToken.token;
  }
}
