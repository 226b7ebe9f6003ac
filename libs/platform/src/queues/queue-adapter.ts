import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import {
  type BackendFactory,
  type ConnectionOptions,
  createRedisBackend,
  DEFAULT_SCHEMA,
  type Job,
  type Processor,
  Queue,
  type QueueOptions,
  type RedisQueueBackend,
  type Span,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { Pool } from 'pg';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import type { RedisAddress } from '../config/redis-url';
import { clientClass } from '../connections/server-client';
import { isLostConnection } from '../connections/lost-connection';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE, sessionOptions } from '../connections/session-limits';
import { Logger } from '../observability/logger';
import { BACKOFF_TYPE, backoffStrategy } from './backoff';
import { ErrorReports } from './error-reports';
import { COMPLETED_JOBS, METRICS_MINUTES, QUEUE_NAMES, type QueueName, queueSettings } from './job-contract';
import { postgresBackends } from './postgres-backend';
import { CLUSTER_PREFIX, connectRedis, findEviction, type RedisUser } from './redis-client';
import { withTimeout } from '../values/with-timeout';

/** The store of the queues. */
export type BackendKind = 'redis' | 'postgres';

/** Connections of the PostgreSQL backend: one LISTEN connection for each worker, and a few for queries. */
const POSTGRES_CONNECTION_COUNT = QUEUE_NAMES.length + 4;
/** Time after which a statement of BullMQ that still runs is given up. */
const POSTGRES_STATEMENT_TIMEOUT_MS = 15_000;
/** BullMQ's default of 15 s leaves workers idle for that long after PostgreSQL is back. */
const WORKER_RETRY_MS = 1_000;
/** Time for which a worker tries to return a job whose connection was lost. Another worker takes the job afterwards. */
const RETURN_TIMEOUT_MS = 60_000;
/** Windows in which a rate is counted. A worker waits for the end of each window, so shorter ones lower the rate. */
const MAX_WINDOWS_PER_SECOND = 20;
/**
 * Limit for closing a queue or a pool, and for a forced close. Without it, closing waits forever for an unreachable
 * backend.
 */
const CLOSE_TIMEOUT_MS = 2_000;

/** Finds the backend of a connection. BullModule builds queues and workers from their options alone. */
const connections = new WeakMap<object, QueueConnection>();

/**
 * The queue backend of one application: Redis if REDIS_URL is set, otherwise the application's own PostgreSQL
 * database. Owns the connections of all queues and workers of the application, and supplies their options from the
 * configuration.
 */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  readonly kind: BackendKind;
  /** Shared by all queues. Commands fail at once while Redis is unreachable, so that no request waits for it. */
  readonly connection: ConnectionOptions;
  /** Set with the PostgreSQL backend only. Shared by all queues and workers. */
  readonly pool: Pool | undefined;
  /** Set with the Redis backend only. The connection of all queues. */
  readonly redis: Redis | undefined;
  readonly createBackend: BackendFactory<RedisQueueBackend>;
  private readonly redisConnections: Redis[] = [];
  private readonly queues = new Set<ConfiguredQueue>();
  private readonly workers = new Set<ConfiguredWorker>();
  private readonly errors: ErrorReports;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly logger: Logger,
  ) {
    this.errors = new ErrorReports(logger);
    if (config.REDIS_URL) {
      this.kind = 'redis';
      this.redis = this.connectRedis(config.REDIS_URL, 'request');
      this.redis.on('ready', () => void this.reportEviction());
      this.connection = this.redis;
      this.createBackend = createRedisBackend;
    } else {
      this.kind = 'postgres';
      const pool = this.createPool();
      this.pool = pool;
      // The types of @nestjs/bullmq only know Redis. It passes the connection on to BullMQ unchanged.
      this.connection = pool;
      this.createBackend = postgresBackends(pool) as unknown as BackendFactory<RedisQueueBackend>;
    }
    connections.set(this.connection, this);
  }

  /**
   * Finds the QueueConnection that has opened the connection of a queue or worker.
   *
   * @throws RangeError for a connection that no QueueConnection has opened
   */
  static of({ connection }: { connection: ConnectionOptions }): QueueConnection {
    const found = connections.get(connection);
    if (!found) throw new RangeError('The connection of this queue was not opened by QueueConnection.');
    return found;
  }

  /**
   * The BullMQ options of a queue, from its settings.
   *
   * @throws RangeError for a queue that is not in the job contract
   */
  queueOptions(name: string): Omit<QueueOptions, 'connection'> {
    const { attempts, keepFailedSeconds } = settingsOf(name);
    return {
      defaultJobOptions: {
        attempts,
        backoff: { type: BACKOFF_TYPE },
        // Completed jobs are for Bull Board only. On PostgreSQL each finishing job would delete the same rows as the jobs
        // that finish at the same time, and wait for them; a scheduled job removes them there (Queues.removeCompleted).
        removeOnComplete:
          this.kind === 'redis' ? { count: COMPLETED_JOBS.count, age: COMPLETED_JOBS.ageSeconds } : false,
        removeOnFail: { age: keepFailedSeconds },
        // The failure code of a job is its whole reason; the stack trace of a processor adds nothing to it.
        stackTraceLimit: 0,
      },
      // Otherwise each start of a program stores the version of BullMQ for each queue.
      skipMetasUpdate: true,
      // The version of Redis is read once, when a queue is built. A queue whose connection breaks at that moment would
      // fail for as long as the program runs. Workers check the version.
      skipVersionCheck: true,
      ...this.prefix,
    };
  }

  /**
   * The BullMQ options of a worker, from the settings of its queue and the configuration.
   *
   * @throws RangeError for a queue that is not in the job contract
   */
  workerOptions(name: string): Omit<WorkerOptions, 'connection'> {
    const settings = settingsOf(name);
    const { JOB_LOCK_MS } = this.config;
    return {
      // The worker application runs its workers itself, so that it sees a main loop that fails.
      autorun: false,
      concurrency:
        typeof settings.concurrency === 'number' ? settings.concurrency : this.config[settings.concurrency],
      lockDuration: JOB_LOCK_MS,
      // BullMQ moves a job without a lock back to waiting at the second check, so each check covers half of the lock
      // time.
      stalledInterval: JOB_LOCK_MS / 2,
      maxStalledCount: settings.maxStalledCount,
      runRetryDelay: WORKER_RETRY_MS,
      settings: { backoffStrategy: backoffStrategy(settings) },
      // Part of the script that finishes a job in Redis. On PostgreSQL it is one more commit for each job, and all of them
      // update one row.
      ...(this.kind === 'redis' ? { metrics: { maxDataPoints: METRICS_MINUTES } } : {}),
      // Stored in the backend, so that it holds for all workers together.
      ...(settings.startsPerSecond && { limiter: limiterOf(this.config[settings.startsPerSecond]) }),
      ...this.prefix,
    };
  }

  /** The connection of one worker. Commands wait while Redis is unreachable, so that the worker resumes by itself. */
  openWorkerConnection(): ConnectionOptions {
    const { REDIS_URL } = this.config;
    return REDIS_URL ? this.connectRedis(REDIS_URL, 'worker') : this.connection;
  }

  /** Logs the errors of the queue, and closes it on shutdown. */
  addQueue(queue: ConfiguredQueue): void {
    this.queues.add(queue);
    queue.on('error', (error) => {
      this.errors.report('A queue reported an error.', error, queue.name);
    });
  }

  /** Logs the errors of the worker, and closes it on shutdown. */
  addWorker(worker: ConfiguredWorker): void {
    this.workers.add(worker);
    worker.on('error', (error) => {
      this.errors.report('A worker reported an error.', error, worker.name);
    });
  }

  get drainTimeoutMs(): number {
    return this.config.DRAIN_TIMEOUT_MS;
  }

  reportTimeout(queue: string): void {
    this.logger.warn(
      'Jobs were still running, or the queue did not answer, at the end of DRAIN_TIMEOUT_MS.',
      {
        queue,
      },
    );
  }

  /** Ends the connections after everything that uses them. Safe to repeat, and in any order with Nest's own hooks. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.workers].map(async (worker) => worker.close(true)));
    await Promise.all([...this.queues].map(async (queue) => queue.close()));
    if (this.pool && !this.pool.ending) await settled(this.pool.end());
    for (const connection of this.redisConnections) connection.disconnect();
    this.errors.stop();
  }

  /** An installation has a cluster to itself: there is no number of a database that could tell two of them apart. */
  private get prefix(): { prefix?: string } {
    return this.config.REDIS_URL?.kind === 'cluster' ? { prefix: CLUSTER_PREFIX } : {};
  }

  /** A server that evicts keys loses jobs, which the sweeper repairs late. */
  private async reportEviction(): Promise<void> {
    const policy = this.redis && (await findEviction(this.redis).catch(() => undefined));
    if (policy !== undefined)
      this.logger.warn(
        `Redis may lose jobs: its maxmemory-policy is ${policy}. Set it to noeviction on every server.`,
      );
  }

  private connectRedis(address: RedisAddress, user: RedisUser): Redis {
    const connection = connectRedis(address, user);
    connection.on('error', (error) => {
      this.logger.debug('A Redis connection reported an error.', { error });
    });
    this.redisConnections.push(connection);
    return connection;
  }

  private createPool(): Pool {
    const report = (error: Error) => {
      this.errors.report('A database connection of the queues was lost.', error);
    };
    // Workers listen, which a pooler in transaction mode does not allow.
    const { DATABASE_URL, DIRECT_DATABASE_URL = DATABASE_URL } = this.config;
    const pool = new Pool({
      ...KEEP_ALIVE,
      Client: clientClass(DIRECT_DATABASE_URL, POSTGRES_STATEMENT_TIMEOUT_MS),
      max: POSTGRES_CONNECTION_COUNT,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'portage queues',
      statement_timeout: POSTGRES_STATEMENT_TIMEOUT_MS,
      options: sessionOptions({ search_path: DEFAULT_SCHEMA }),
    });
    pool.on('error', report);
    // Each queue and each worker adds a listener.
    pool.setMaxListeners(0);
    return pool;
  }
}

/** A queue on the backend that owns its connection. */
export class ConfiguredQueue extends Queue<unknown, void> {
  constructor(name: string, options: QueueOptions) {
    const connection = QueueConnection.of(options);
    super(name, { ...connection.queueOptions(name), ...options }, connection.createBackend);
    connection.addQueue(this);
  }

  /** Takes at most {@link CLOSE_TIMEOUT_MS}. Never fails. */
  override async close(): Promise<void> {
    await settled(super.close());
  }
}

/** A worker on the backend that owns the connection in its options. Options of the caller override configured ones. */
export class ConfiguredWorker extends Worker<unknown, void> {
  private readonly source: QueueConnection;

  constructor(name: string, processor: Processor<unknown, void>, options: WorkerOptions) {
    const source = QueueConnection.of(options);
    super(
      name,
      processor,
      { ...source.workerOptions(name), ...options, connection: source.openWorkerConnection() },
      source.createBackend,
    );
    this.source = source;
    source.addWorker(this);
  }

  protected override async handleCompleted(
    ...[result, job, token, fetchNext, span]: [undefined, Job<unknown, void>, string, (() => boolean)?, Span?]
  ): Promise<Job<unknown, void>> {
    return this.returnJob(async () => super.handleCompleted(result, job, token, fetchNext, span));
  }

  protected override async handleFailed(
    ...[error, job, token, fetchNext, span]: [Error, Job<unknown, void>, string, (() => boolean)?, Span?]
  ): Promise<Job<unknown, void>> {
    return this.returnJob(async () => super.handleFailed(error, job, token, fetchNext, span));
  }

  /**
   * BullMQ repeats this only after errors of Redis connections. Without a repetition the job is active, without a worker,
   * until its lock expires and two checks have found it: 20 s after a fail-over of PostgreSQL.
   */
  private async returnJob<T>(handle: () => Promise<T>): Promise<T> {
    const end = performance.now() + RETURN_TIMEOUT_MS;
    for (;;)
      try {
        return await handle();
      } catch (error) {
        if (!this.source.pool || !isLostConnection(error) || performance.now() > end || this.closing)
          throw error;
        this.emit('error', error as Error);
        await sleep(WORKER_RETRY_MS);
      }
  }

  /**
   * Looks for jobs whose worker has died. BullMQ waits for 5 s after a check that failed, and then for the time until the
   * next one.
   */
  protected override async checkConnectionError<T>(check: () => Promise<T>): Promise<T | undefined> {
    while (!this.closing && !this.isPaused())
      try {
        return await check();
      } catch (error) {
        this.emit('error', error as Error);
        await sleep(WORKER_RETRY_MS);
      }
    return undefined;
  }

  /**
   * Takes no more jobs and waits for the active ones, at most DRAIN_TIMEOUT_MS. A repeated call, or one with `force`,
   * takes at most {@link CLOSE_TIMEOUT_MS}. Never fails. Another worker takes the jobs that were not finished once
   * their locks have expired.
   */
  override async close(force = false): Promise<void> {
    if (!this.closing && !force)
      await withTimeout(this.source.drainTimeoutMs, super.close()).catch(() => {
        this.source.reportTimeout(this.name);
      });
    else if (this.closing && force) await settled(this.release());
    else {
      const closed = super.close(force);
      // BullMQ leaves the wait for the next job to itself, and its timer keeps the process from ending for a minute.
      if (force && this.source.pool) await settled(this.backend.disconnectBlocking());
      await settled(closed);
    }
  }

  /** BullMQ ignores `force` while it waits for active jobs: stops renewing their locks and gives up the connection. */
  private async release(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }
}

/**
 * The rate in short windows. With windows of a second, the first organisation to send could use a whole window at once,
 * and the next request of another would wait for its end.
 */
function limiterOf(startsPerSecond: number): { max: number; duration: number } {
  const max = Math.ceil(startsPerSecond / MAX_WINDOWS_PER_SECOND);
  return { max, duration: Math.ceil((max * 1_000) / startsPerSecond) };
}

function settingsOf(name: string): (typeof queueSettings)[QueueName] {
  if (!(name in queueSettings)) throw new RangeError(`There is no queue ${name} in the job contract.`);
  return queueSettings[name as QueueName];
}

async function settled(closing: Promise<unknown>): Promise<void> {
  await withTimeout(CLOSE_TIMEOUT_MS, closing).catch(() => undefined);
}

// Process-wide, and read when BullModule.registerQueue() is called: before any module of an application is defined.
BullModule.queueClass = ConfiguredQueue;
BullModule.workerClass = ConfiguredWorker;
