import { createServer } from 'node:http';
import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import type { Settings } from './settings';

const NAME = 'account-imports';

const CLOSE_TIMEOUT_MS = 5_000;

export interface ImportJob {
  processId: string;
}

export type ImportQueue = Queue<ImportJob, void>;

/** The queue of accounts to create. */
export function importQueue(settings: Settings): ImportQueue {
  const defaultJobOptions = { removeOnComplete: true };
  const queue: ImportQueue = new Queue(NAME, { connection: connection(settings), defaultJobOptions });
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
  const worker = new Worker<ImportJob>(NAME, async ({ data }) => work(data.processId), {
    connection: connection(settings),
    concurrency,
  });
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

function connection({ redisUrl }: Settings): ConnectionOptions {
  return { url: redisUrl, maxRetriesPerRequest: null };
}

function report(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
}
