import { createServer } from 'node:http';
import {
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  Queue,
  type QueueOptions,
  Worker,
} from 'bullmq';
import type { Settings } from './settings';

const NAME = 'account-imports';

/** One connection for LISTEN and a few for queries. */
const POSTGRES_CONNECTIONS = 10;
const CLOSE_TIMEOUT_MS = 5_000;

export interface ImportJob {
  processId: string;
}

export type ImportQueue = Queue<ImportJob, void>;

/** The queue of accounts to create, on Redis or on BullMQ's PostgreSQL backend. */
export function importQueue(settings: Omit<Settings, 'port'>): ImportQueue {
  // Keeping a number of completed jobs would cause deadlocks on PostgreSQL.
  const defaultJobOptions = { removeOnComplete: true };
  const queue: ImportQueue = new Queue(
    NAME,
    { connection: connection(settings), defaultJobOptions },
    backend(settings),
  );
  queue.on('error', report);
  return queue;
}

/** The job id is derived from the process id, so that adding a job is idempotent. */
export function importJob(processId: string): { name: string; data: ImportJob; opts: { jobId: string } } {
  return { name: 'import-account', data: { processId }, opts: { jobId: `process-${processId}-1` } };
}

/** Processes jobs until SIGTERM and serves `/health/ready`. */
export async function processImportJobs(
  settings: Settings,
  concurrency: number,
  work: (processId: string) => Promise<void>,
): Promise<void> {
  const worker = new Worker<ImportJob>(
    NAME,
    async ({ data }) => work(data.processId),
    { connection: connection(settings), concurrency },
    backend(settings),
  );
  worker.on('error', report);
  worker.on('failed', (_job, error) => {
    report(error);
  });
  await worker.waitUntilReady();
  const health = createServer((_request, response) => response.end());
  health.listen(settings.port, '127.0.0.1');
  process.once('SIGTERM', () => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    void worker.close().finally(() => process.exit(0));
  });
}

/** Connection options of BullMQ, whose types support only Redis. */
function connection({ databaseUrl, redisUrl }: Omit<Settings, 'port'>): QueueOptions['connection'] {
  if (redisUrl !== undefined) return { url: redisUrl, maxRetriesPerRequest: null };
  return {
    connectionString: databaseUrl,
    max: POSTGRES_CONNECTIONS,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    keepAlive: true,
  };
}

function backend({ redisUrl }: Pick<Settings, 'redisUrl'>): typeof createRedisBackend {
  return (redisUrl === undefined ? createPostgresBackend : createRedisBackend) as typeof createRedisBackend;
}

function report(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
}
