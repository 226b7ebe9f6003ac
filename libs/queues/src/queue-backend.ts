import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import {
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  type Job,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { BACK_OFF, backOff } from './back-off';
import { QUEUE_NAMES, type QueueName } from './job-contract';
import { queueSettings } from './queue-settings';

export type BackendKind = 'redis' | 'postgres';

type AnyQueue = Queue<unknown, void>;

/** Connections of the PostgreSQL backend: one for each worker to listen, and a few to ask with. */
const POSTGRES_CONNECTIONS = QUEUE_NAMES.length + 4;
const REDIS_CONNECT_TIMEOUT_MS = 5_000;
const DATABASE_CONNECT_TIMEOUT_MS = 5_000;
const REDIS_RECONNECT_MS = 1_000;
/** BullMQ's own 15 s leave a worker idle for so long after PostgreSQL, which holds its queue, is back. */
const WORKER_RETRY_MS = 1_000;

/**
 * Where the queues live: Redis when REDIS_URL is set, else the application's own database. Everything else in
 * Portage is the same on both.
 */
@Injectable()
export class QueueBackend implements OnApplicationShutdown {
  readonly kind: BackendKind;
  private readonly queues = new Map<QueueName, AnyQueue>();
  private pool: Pool | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly logger: Logger,
  ) {
    this.kind = config.REDIS_URL ? 'redis' : 'postgres';
  }

  /** The queue of this name, to add to and to look into. Commands fail at once while its backend is away. */
  queue(name: QueueName): AnyQueue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const settings = queueSettings[name];
    const options: Omit<QueueOptions, 'connection'> = {
      defaultJobOptions: {
        attempts: settings.attempts,
        backoff: { type: BACK_OFF },
        // A finished job is known from its process row. Counting what to keep would deadlock on PostgreSQL.
        removeOnComplete: true,
        removeOnFail: { age: settings.keepFailedSeconds },
        // A job fails with a code that says why; where in our code it was thrown says nothing more.
        stackTraceLimit: 0,
      },
    };
    const queue = (this.config.REDIS_URL
      ? new Queue(
          name,
          { ...options, connection: this.redis(this.config.REDIS_URL, 'fail at once') },
          createRedisBackend,
        )
      : new Queue(
          name,
          { ...options, connection: this.postgres() },
          createPostgresBackend,
        )) as unknown as AnyQueue;
    queue.on('error', (error) => {
      this.logger.warning('The queue reports an error.', { queue: name, error });
    });
    this.queues.set(name, queue);
    return queue;
  }

  /** A consumer of the queue that has not started yet. Only apps/worker has any. */
  worker(name: QueueName, process: (job: Job) => Promise<void>, concurrency: number): Worker {
    const settings = queueSettings[name];
    const options: Omit<WorkerOptions, 'connection'> = {
      autorun: false,
      concurrency,
      lockDuration: this.config.JOB_LOCK_MS,
      // Looked at twice before it is taken away, so half the time of the lock each.
      stalledInterval: this.config.JOB_LOCK_MS / 2,
      maxStalledCount: settings.maxStalledCount,
      runRetryDelay: WORKER_RETRY_MS,
      settings: { backoffStrategy: backOff(settings) },
      // Kept in the backend, so that it holds for all workers together.
      ...(settings.startsPerSecond && {
        limiter: { max: this.config[settings.startsPerSecond], duration: 1_000 },
      }),
    };
    const worker = (
      this.config.REDIS_URL
        ? new Worker(
            name,
            process,
            { ...options, connection: this.redis(this.config.REDIS_URL, 'wait') },
            createRedisBackend,
          )
        : new Worker(name, process, { ...options, connection: this.postgres() }, createPostgresBackend)
    ) as Worker;
    worker.on('error', (error) => {
      this.logger.warning('The worker of a queue reports an error.', { queue: name, error });
    });
    return worker;
  }

  /** The job that has waited longest; undefined while none waits. */
  async nextWaiting(name: QueueName): Promise<Job | undefined> {
    const queue = this.queue(name);
    if (this.kind === 'redis') return (await queue.getJobs(['waiting'], 0, 0, true))[0];
    // BullMQ numbers jobs from the newest here: the oldest would be found by counting all of them.
    const { rows } = await this.postgres().query<{ id: string }>(
      `SELECT id FROM job WHERE queue = $1 AND state = 'waiting' AND priority = 0 ORDER BY seq LIMIT 1`,
      [name],
    );
    return rows[0] && queue.getJob(rows[0].id);
  }

  /** Answers whether the queue can be asked within `milliseconds`. */
  async isReachable(milliseconds: number): Promise<boolean> {
    try {
      await withTimeout(milliseconds, this.queue('account-imports').getJobCounts('active'));
      return true;
    } catch {
      return false;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const closing = [...this.queues.values()].map((queue) => queue.close().catch(() => undefined));
    // A connection that never came up would be waited for without end.
    await withTimeout(2_000, Promise.all(closing)).catch(() => undefined);
    await withTimeout(2_000, this.pool?.end() ?? Promise.resolve()).catch(() => undefined);
    for (const connection of this.redisConnections) connection.disconnect();
  }

  private readonly redisConnections: Redis[] = [];

  private redis(url: string, whenAway: 'wait' | 'fail at once'): Redis {
    const connection = new Redis(url, {
      maxRetriesPerRequest: null,
      enableOfflineQueue: whenAway === 'wait',
      connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
      retryStrategy: () => REDIS_RECONNECT_MS,
    });
    connection.on('error', (error) => {
      this.logger.detail('A Redis connection reports an error.', { error });
    });
    this.redisConnections.push(connection);
    return connection;
  }

  private postgres(): Pool {
    if (this.pool) return this.pool;
    const pool = new Pool({
      connectionString: this.config.DATABASE_URL,
      max: POSTGRES_CONNECTIONS,
      connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
      application_name: 'portage queues',
      options: `-c search_path=${DEFAULT_SCHEMA}`,
      keepAlive: true,
    });
    pool.on('error', (error) => {
      this.logger.warning('A database connection of the queues was lost.', { error });
    });
    // Each queue and each worker adds a listener of its own.
    pool.setMaxListeners(0);
    this.pool = pool;
    return pool;
  }
}

/** Settles as `promise` does, or rejects after `milliseconds`. */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`No answer within ${milliseconds} ms.`));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
