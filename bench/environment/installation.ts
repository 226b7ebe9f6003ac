import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Program } from './program';
import { query } from './query';
import { type Ground, RunningProgram } from './running-program';

export type Backend = 'redis' | 'postgres';

interface InstallationOptions extends Ground {
  readonly databaseUrl: string;
  readonly remove: () => Promise<void>;
}

/** The status is asked for so often: it bounds how exactly the end of an import is known. */
const POLL_MS = 20;

/** One database with its queues, and the programs that run on it. */
export class Installation {
  private readonly programs: RunningProgram[] = [];

  constructor(private readonly options: InstallationOptions) {}

  get databaseUrl(): string {
    return this.options.databaseUrl;
  }

  /** Undefined where the queue is in PostgreSQL. */
  get redisUrl(): string | undefined {
    return this.options.env['REDIS_URL'];
  }

  /** Starts the API of a program, and as many of its workers. Returns once they are ready. */
  async start(program: Program, workers: number, settings: NodeJS.ProcessEnv = {}): Promise<RunningProgram> {
    const running = new RunningProgram(program, {
      ...this.options,
      env: { ...this.options.env, ...settings },
    });
    this.programs.push(running);
    await running.startApi();
    await running.startWorkers(workers);
    return running;
  }

  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return query<Row>(this.databaseUrl, text, values);
  }

  /** Waits until every process has been finished, and all of them, exactly so many, have become accounts. */
  async allProcessed(count: number, milliseconds?: number): Promise<void> {
    await this.allFinished(milliseconds);
    const rows = await this.sql<{ status: string; error_code: string | null; count: number }>(
      'SELECT status, error_code, count(*)::integer AS count FROM import_process GROUP BY status, error_code',
    );
    const processed = rows.find(({ status }) => status === 'PROCESSED')?.count ?? 0;
    if (processed !== count || rows.length > 1)
      throw new Error(`Expected ${count} accounts, found ${JSON.stringify(rows)}.`);
  }

  /**
   * Waits until no process is unfinished. Ask once everything has been posted: then it costs next to nothing, for what
   * is finished is not in the index that is looked at. Those that are still unfinished after so long are for
   * {@link allProcessed} to find.
   */
  async allFinished(milliseconds = 600_000): Promise<void> {
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'bench',
      options: '-c enable_seqscan=off -c enable_bitmapscan=off',
    });
    // Told to whoever waits for an answer; without a listener it would end the process before it has tidied up.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const unfinished = {
        name: 'unfinished',
        text: `SELECT FROM import_process WHERE status IN ('PENDING', 'IN_PROGRESS') ORDER BY enqueued_at LIMIT 1`,
      };
      const until = performance.now() + milliseconds;
      while ((await client.query(unfinished)).rowCount !== 0 && performance.now() < until)
        await sleep(POLL_MS);
    } finally {
      await client.end();
    }
  }

  /** Stops its programs and removes the database. */
  async close(): Promise<void> {
    await Promise.all(this.programs.map(async (program) => program.stop()));
    await this.options.remove();
  }

  kill(): void {
    for (const program of this.programs) program.kill();
  }
}
