import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { processorTime } from './processor-time';
import type { Program } from './program';
import { query } from './query';
import { type RunEnvironment, RunningProgram } from './running-program';

export type Backend = 'redis' | 'postgres';

interface InstallationOptions extends RunEnvironment {
  readonly databaseUrl: string;
  readonly remove: () => Promise<void>;
}

/** Polling interval, which is the precision of the end time of an import. */
const POLL_INTERVAL_MS = 20;

/** One database with its queues and the programs that use it. */
export class Installation {
  private readonly programs: RunningProgram[] = [];

  constructor(private readonly options: InstallationOptions) {}

  get databaseUrl(): string {
    return this.options.databaseUrl;
  }

  /** Starts the API and the given number of workers of a program, and waits until they are ready. */
  async start(program: Program, workers: number): Promise<RunningProgram> {
    const running = new RunningProgram(program, this.options);
    this.programs.push(running);
    await running.startApi();
    await running.startWorkers(workers);
    return running;
  }

  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return query<Row>(this.databaseUrl, text, values);
  }

  /** Runs statements without parameters one after the other. */
  async sqlOnOneConnection(statements: readonly string[]): Promise<void> {
    await query(this.databaseUrl, statements.join(';\n'));
  }

  /** Waits until all processes have ended. @throws Error unless all of them, exactly `count`, have created an account */
  async allProcessed(count: number, timeoutMs?: number): Promise<void> {
    await this.allFinished(timeoutMs);
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
  async allFinished(timeoutMs = 600_000): Promise<void> {
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'bench',
      options: '-c enable_seqscan=off -c enable_bitmapscan=off',
    });
    // The query reports the error. Without a listener the error would end the process before its cleanup.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const activeProcess = {
        name: 'activeProcess',
        text: `SELECT FROM import_process WHERE status IN ('PENDING', 'IN_PROGRESS') ORDER BY enqueued_at LIMIT 1`,
      };
      const deadline = performance.now() + timeoutMs;
      while ((await client.query(activeProcess)).rowCount !== 0 && performance.now() < deadline)
        await sleep(POLL_INTERVAL_MS);
    } finally {
      await client.end();
    }
  }

  /** Otherwise autovacuum would start during a measurement. */
  async disableAutovacuum(): Promise<void> {
    await this.sql(`
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
          EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = off)', name);
        END LOOP;
      END $$`);
  }

  /** The position in the write-ahead log of the server, in bytes. */
  async logPosition(): Promise<number> {
    const [row] = await this.sql<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
    );
    return Number(row?.bytes);
  }

  /** CPU time of PostgreSQL with all its processes, in milliseconds since its start. */
  postgresTime(): number {
    return processorTime(this.options.servers.postgres);
  }

  /** Stops the programs and removes the database. */
  async close(): Promise<void> {
    await Promise.all(this.programs.map(async (program) => program.stop()));
    await this.options.remove();
  }

  kill(): void {
    for (const program of this.programs) program.kill();
  }
}
