import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestedBackend } from '@portage/testing/backends';
import { REPOSITORY } from '@portage/testing/built-programs';
import { Installation } from '@portage/testing/installation';
import { Client } from 'pg';
import { LoadGenerator } from './load';
import { processorTime } from './processor-time';

/** What is measured: Portage as a checkout builds it, or a yardstick, whose API and worker serve the same paths. */
export interface Program {
  readonly name: string;
  /** The built checkout, whose migrations create the database. */
  readonly checkout: string;
  /** The folder of the scripts of a yardstick. It has no tokens and no submissions. */
  readonly yardstick?: string;
}

/** The service with all its features. */
export const portage: Program = { name: 'Portage', checkout: REPOSITORY };

/** Bare Fastify, compiled validation and `pg`, with batches on both sides: the fastest program for the same rows. */
export const batched = yardstick('batched');

/** The usual first version of a team: Nest on Fastify, ValidationPipe, TypeORM `save`, one job per account. */
export const stock = yardstick('stock');

function yardstick(name: string): Program {
  return { name, checkout: REPOSITORY, yardstick: join(REPOSITORY, 'dist', 'bench', 'yardsticks', name) };
}

/** The supplier of an installation. */
export const SUPPLIER = 'LEGACY';

/** Milliseconds of CPU time by process. The load generator does not exist in production, and is left out. */
export interface ProcessorTimes {
  api: number;
  worker: number;
  postgres: number;
  redis: number;
}

/** The CPU time between two readings, for each of `count` accounts or requests. */
export function timesPer(before: ProcessorTimes, after: ProcessorTimes, count: number): ProcessorTimes {
  const each = (part: keyof ProcessorTimes) => (after[part] - before[part]) / count;
  return { api: each('api'), worker: each('worker'), postgres: each('postgres'), redis: each('redis') };
}

/** CPU time of all processes. */
export function sumOf({ api, worker, postgres, redis }: ProcessorTimes): number {
  return api + worker + postgres + redis;
}

export interface ContenderOptions {
  /** Where the queue is. */
  readonly backend: TestedBackend;
  readonly workers: number;
  /** Off if the housekeeping of the database is not to be measured. Default: on. */
  readonly autovacuum?: 'off';
  /** Further settings of all programs. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Polling interval, which is the precision of the end time of an import. */
const POLL_INTERVAL_MS = 20;
const FINISH_TIMEOUT_MS = 600_000;
const started = new Set<Contender>();

/** A program that runs with the default settings of production, on a PostgreSQL and a Redis of its own. */
export class Contender {
  /** The version of PostgreSQL; empty before the first start. */
  static postgresVersion = '';

  private constructor(
    readonly program: Program,
    private readonly installation: Installation,
  ) {}

  static async start(
    program: Program,
    { backend, workers, autovacuum, env }: ContenderOptions,
  ): Promise<Contender> {
    const isService = program.yardstick === undefined;
    const installation = await Installation.start({
      backend,
      checkout: program.checkout,
      postgres: autovacuum ? { settings: { autovacuum } } : {},
      waits: 'default',
      env: { NODE_ENV: 'production', ...env },
      apis: isService ? 1 : 0,
      workers: isService ? workers : 0,
    });
    const contender = new Contender(program, installation);
    started.add(contender);
    const [server] = await contender.sql<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    Contender.postgresVersion = server?.version ?? '';
    if (!isService) await contender.startPrograms(workers);
    return contender;
  }

  /** Stops all contenders in any state. */
  static async stopAll(): Promise<void> {
    for (const contender of started) await contender.stop();
  }

  /** The last lines of the logs of all running programs, for error messages. */
  static endOfLogs(): string {
    const programs = [...started].flatMap(({ installation }) => installation.programs);
    return programs.map((program) => `Last lines of ${program.name}:\n${program.logTail(5)}`).join('\n');
  }

  get baseUrl(): string {
    return this.installation.baseUrl;
  }

  /** The headers with the token of the supplier. */
  get authorization(): Readonly<Record<string, string>> {
    return this.program.yardstick === undefined ? { authorization: `Token ${this.installation.token}` } : {};
  }

  get workerCount(): number {
    return this.installation.workers.length;
  }

  /** Starts the API and the workers, also again. */
  async startPrograms(workers: number): Promise<void> {
    const { yardstick: folder } = this.program;
    if (folder === undefined) await this.installation.startApi();
    else
      this.installation.baseUrl = (
        await this.installation.launch('api-1', { script: join(folder, 'api.js') })
      ).baseUrl;
    const options = folder === undefined ? {} : { script: join(folder, 'worker.js') };
    for (let nth = 1; nth <= workers; nth += 1) await this.installation.launch(`worker-${nth}`, options);
  }

  async addWorkers(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) await this.installation.startWorker();
  }

  async stopPrograms(): Promise<void> {
    await this.installation.stopPrograms();
  }

  /** Creates a load generator that sends requests to the API with its token. The caller closes it. */
  load(connections: number): LoadGenerator {
    return new LoadGenerator(this.baseUrl, connections, this.authorization);
  }

  async sql<Row extends object>(text: string): Promise<Row[]> {
    return this.installation.sql<Row>(text);
  }

  /** Runs statements one after another on one connection. */
  async runInSession(statements: readonly string[]): Promise<void> {
    await this.withClient(async (client) => client.query(statements.join(';\n')));
  }

  /** CPU time since the start of the processes. The difference of two readings is the time between them. */
  processorTimes(): ProcessorTimes {
    const { apis, workers, servers, directory } = this.installation;
    const [postmaster] = readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const sum = (pids: readonly (number | undefined)[]) =>
      pids.reduce<number>((total, pid) => total + processorTime(pid ?? NaN), 0);
    return {
      api: sum(apis.map(({ pid }) => pid)),
      worker: sum(workers.map(({ pid }) => pid)),
      postgres: processorTime(Number(postmaster)),
      redis: servers.redis ? processorTime(servers.redis.pid) : 0,
    };
  }

  /** The position in the write-ahead log of the server, in bytes. */
  async logPosition(): Promise<number> {
    const [row] = await this.sql<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
    );
    return Number(row?.bytes);
  }

  /** Waits until all processes have ended. @throws Error unless all of them, exactly `count`, have created an account */
  async allProcessed(count: number): Promise<void> {
    await this.allFinished();
    const rows = await this.sql<{ status: string; error_code: string | null; count: number }>(
      'SELECT status, error_code, count(*)::integer AS count FROM import_process GROUP BY status, error_code',
    );
    const processed = rows.find(({ status }) => status === 'PROCESSED')?.count ?? 0;
    if (processed !== count || rows.length > 1)
      throw new Error(`Expected ${count} accounts, found ${JSON.stringify(rows)}.`);
  }

  /**
   * Waits until all processes have ended, or the timeout expires. Call it after all POSTs: the query is cheap, because
   * its index does not contain processes that have ended. {@link allProcessed} reports processes that have not ended.
   */
  async allFinished(): Promise<void> {
    await this.withClient(async (client) => {
      await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
      const activeProcess = {
        name: 'activeProcess',
        // Only the index of unfinished processes has this order.
        text: `SELECT FROM import_process WHERE status IN ('PENDING', 'IN_PROGRESS') AND enqueued_at < 'infinity'
          ORDER BY supplier_id, status, enqueued_at LIMIT 1`,
      };
      const deadline = performance.now() + FINISH_TIMEOUT_MS;
      while ((await client.query(activeProcess)).rowCount !== 0 && performance.now() < deadline)
        await sleep(POLL_INTERVAL_MS);
    });
  }

  /** Removes everything. Idempotent. */
  async stop(): Promise<void> {
    if (started.delete(this)) await this.installation.stop();
  }

  /** Gives work a connection to the database of its own. */
  async withClient(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: this.installation.databaseUrl });
    // The query reports the error. Without a listener the error would end the process before its cleanup.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}
