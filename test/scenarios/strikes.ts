import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from '@portage/platform';
import { until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import type { ServiceProcess } from '@portage/local-environment';
import { createPostgresBackend, createRedisBackend, DEFAULT_SCHEMA, Queue, type QueueOptions } from 'bullmq';
import type { Struck } from './strike-a-book';

const TIMEOUT_MS = 30_000;
/** After this time other workers have committed the jobs that were active at the suspension. */
const COMMIT_DELAY_MS = 150;
const JOB_KEYS = 'bull:account-imports:*';
/** The jobs of single accounts, and those of the batches of an upload. */
const JOB_KEY = /:(process-\d+-\d+|batch-\d+)$/;

/** Kills workers while they are importing accounts, and returns the number of those accounts. */
export async function killBusyWorkers({ installation, key }: Struck, count: number): Promise<number> {
  const workers = runningWorkers(installation).slice(0, count);
  let active = 0;
  await until(
    async () =>
      whileSuspended(workers, async () => {
        const before = await activeProcesses(installation);
        await sleep(COMMIT_DELAY_MS);
        // Other workers have ended their batches meanwhile.
        const still = new Set(await activeProcesses(installation));
        active = await installation.countRows(
          `import_process
           WHERE external_account_number LIKE $1 AND status IN ('PENDING', 'IN_PROGRESS') AND id = ANY($2::bigint[])`,
          [`${key}-%`, before.filter((id) => still.has(id))],
        );
        if (active > 0) await installation.kill(...workers);
        return active > 0;
      }),
    'the workers had no active jobs',
    TIMEOUT_MS,
  );
  return active;
}

export function runningWorkers({ workers }: Installation): ServiceProcess[] {
  return workers.filter(({ isRunning }) => isRunning);
}

/** Suspends processes while `meanwhile` runs. */
export async function whileSuspended<T>(
  processes: readonly { pid?: number | undefined }[],
  meanwhile: () => Promise<T>,
): Promise<T> {
  for (const { pid } of processes) process.kill(pid!, 'SIGSTOP');
  try {
    return await meanwhile();
  } finally {
    for (const { pid } of processes) resume(pid!);
  }
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process was killed in the meantime.
  }
}

export async function killApi({ installation }: Struck): Promise<void> {
  await installation.kill(installation.api!);
  await installation.startApi();
}

/** Ends PostgreSQL like a crash, and starts it again. */
export async function restartPostgres({ installation }: Struck): Promise<void> {
  const startedAt = async () =>
    (await installation.sql<{ at: string }>('SELECT pg_postmaster_start_time()::text AS at'))[0]!.at;
  const before = await startedAt();
  await installation.servers.postgres!.stop('immediate');
  await installation.servers.postgres!.restart();
  if ((await startedAt()) === before) throw new Error('PostgreSQL was not restarted.');
}

/** @returns the number of deleted jobs */
export async function emptyRedis({ installation }: Struck): Promise<number> {
  const { client } = installation.servers.redis!;
  const jobs = async () => (await client.keys(JOB_KEYS)).filter((key) => JOB_KEY.test(key)).length;
  await until(async () => (await jobs()) > 0, 'there were no jobs in Redis', 10_000);
  const answers = await client.multi().keys(JOB_KEYS).flushall().exec();
  const [[, keys], [, emptied]] = answers as [[null, string[]], [null, string]];
  if (emptied !== 'OK') throw new Error('Redis was not emptied.');
  return keys.filter((key) => JOB_KEY.test(key)).length;
}

/** Counts the accounts that were posted more than once because of `strike`. */
export async function countPostedAgain({ clients }: Struck, strike: () => Promise<void>): Promise<number> {
  const before = clients.retried.size;
  await strike();
  return clients.retried.size - before;
}

/** Counts the uploads that were sent again because of `strike`. */
export async function countUploadedAgain(
  { submission }: Struck,
  strike: () => Promise<void>,
): Promise<number> {
  const before = submission!.cutUploads;
  await strike();
  // The client has to notice it.
  const end = Date.now() + 10_000;
  while (submission!.cutUploads === before && Date.now() < end) await sleep(25);
  return submission!.cutUploads - before;
}

/** The payload of a job that imports one account or a batch. */
interface ActiveImport {
  processId?: string;
  processes?: { processId?: string }[];
}

/** The ids of the processes in the active jobs of the queue `account-imports`. */
async function activeProcesses(installation: Installation): Promise<string[]> {
  return withQueue<ActiveImport, string[]>(installation, 'account-imports', async (queue) => {
    const jobs = await queue.getJobs(['active']);
    return jobs.flatMap(({ data }) => (data.processes ?? [data]).flatMap(({ processId }) => processId ?? []));
  });
}

/** Uses a queue of the installation as an operator does. */
export async function withQueue<Payload, Result>(
  { servers }: Installation,
  name: QueueName,
  use: (queue: Queue<Payload>) => Promise<Result>,
): Promise<Result> {
  // The types of BullMQ know the options of Redis only.
  const connection: QueueOptions['connection'] = servers.redis
    ? { url: servers.redis.url }
    : { connectionString: servers.database.ownerUrl, options: `-c search_path=${DEFAULT_SCHEMA}`, max: 2 };
  const backend = (servers.redis ? createRedisBackend : createPostgresBackend) as typeof createRedisBackend;
  const queue = new Queue<Payload>(name, { connection, skipMetasUpdate: true }, backend);
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}
