import {
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  Queue,
  type QueueOptions,
  Worker,
} from 'bullmq';
import type { Backend, Installation } from '../environment/installation';
import { COMPLETED_JOBS, METRICS_MINUTES } from '../../libs/queues/src/queue-settings';
import type { Bench } from './measure';

const CONCURRENCY = 50;
const JOBS_ADDED_AT_ONCE = 100;
const REMOVED_AT_ONCE = 1_000;
const POSTGRES_CONNECTIONS = 10;

/**
 * CPU milliseconds of a job that does nothing: of the program that adds and processes it, and of the server that has the
 * queue. A process of Portage does much more for a job, so that the cost of retention does not show there on a machine
 * with other work.
 *
 * @param retains true: completed jobs are retained and counted by minute, as Portage does. On PostgreSQL their removal is
 *   part of the time.
 */
export async function measureJobs(
  bench: Bench,
  { backend, retains, jobs }: { backend: Backend; retains: boolean; jobs: number },
): Promise<number> {
  const installation = await bench.servers.installation(backend);
  try {
    const { queue, worker, untilCompleted } = open(installation, retains);
    const run = async (count: number) => {
      const completed = untilCompleted(count);
      for (let added = 0; added < count; added += JOBS_ADDED_AT_ONCE)
        await queue.addBulk(
          Array.from({ length: Math.min(JOBS_ADDED_AT_ONCE, count - added) }, () => ({
            name: 'job',
            data: {},
          })),
        );
      await completed;
      if (backend === 'postgres' && retains)
        for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE;)
          removed = (await queue.clean(0, REMOVED_AT_ONCE, 'completed')).length;
    };
    await run(Math.round(jobs / 2));
    const time = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000 + bench.servers.queueServerTime(backend);
    };
    const before = time();
    await run(jobs);
    const after = time();
    await worker.close();
    await queue.close();
    return (after - before) / jobs;
  } finally {
    await installation.close();
  }
}

function open({ databaseUrl, redisUrl }: Installation, retains: boolean) {
  const isRedis = redisUrl !== undefined;
  // The types of BullMQ support only Redis.
  const connection = (
    isRedis
      ? { url: redisUrl, maxRetriesPerRequest: null }
      : {
          ...{ connectionString: databaseUrl, max: POSTGRES_CONNECTIONS },
          options: `-c search_path=${DEFAULT_SCHEMA}`,
        }
  ) as QueueOptions['connection'];
  const backend = (isRedis ? createRedisBackend : createPostgresBackend) as typeof createRedisBackend;
  const { count, ageSeconds: age } = COMPLETED_JOBS;
  const removeOnComplete = retains ? isRedis && { count, age } : true;
  const queue = new Queue('jobs', { connection, defaultJobOptions: { removeOnComplete } }, backend);
  const metrics = retains && isRedis ? { metrics: { maxDataPoints: METRICS_MINUTES } } : {};
  const worker = new Worker(
    ...['jobs', async () => Promise.resolve()],
    { connection, concurrency: CONCURRENCY, ...metrics },
    backend,
  );
  const report = (error: Error) => process.stderr.write(`${error.stack ?? error.message}\n`);
  queue.on('error', report);
  worker.on('error', report);
  let left = 0;
  let done: () => void;
  worker.on('completed', () => {
    left -= 1;
    if (left === 0) done();
  });
  const untilCompleted = async (jobs: number) => {
    left = jobs;
    return new Promise<void>((resolve) => (done = resolve));
  };
  return { queue, worker, untilCompleted };
}
