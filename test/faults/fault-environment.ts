import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  builtProgram,
  killRedis,
  type RedisServer,
  restartRedis,
  startRedis,
  stopRedis,
  type TestedBackend,
  TestPortage,
  until,
} from '@portage/testing';
import { EmbeddedPostgres, type ServiceProcess } from '@portage/testing/local-environment';
import { createPostgresBackend, createRedisBackend, DEFAULT_SCHEMA, Queue, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';

const JOB_KEYS = 'bull:account-imports:*';
/** The jobs of single accounts, and those of the batches of an upload. */
const JOB_KEY = /:(process-\d+-\d+|batch-\d+)$/;

/** The payload of a job that imports one account or a batch. */
interface ActiveImport {
  processId?: string;
  processes?: { processId?: string }[];
}

/**
 * API, workers, PostgreSQL and Redis as processes of one test, so that it can kill or suspend each of them. Each method
 * returns once the affected process runs again, and throws if the fault had no effect.
 */
export class FaultEnvironment {
  private constructor(
    readonly portage: TestPortage,
    private readonly postgres: EmbeddedPostgres,
    private readonly directory: string,
    private redis: RedisServer | undefined,
  ) {}

  static async start(backend: TestedBackend, waits: 'quick' | 'default'): Promise<FaultEnvironment> {
    const directory = mkdtempSync(join(tmpdir(), 'portage-faults-'));
    // As in production: committed transactions survive a crash of PostgreSQL.
    const postgres = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: 'test',
    });
    let redis: RedisServer | undefined;
    try {
      await postgres.createDatabase('portage');
      const databaseUrl = postgres.url('portage');
      execFileSync(process.execPath, [builtProgram('cli', 'migrate')], {
        env: { ...process.env, DATABASE_URL: databaseUrl },
      });
      redis = backend === 'redis' ? await startRedis() : undefined;
      const portage = await TestPortage.start({
        backend,
        databaseUrl,
        waits,
        // The receiver of webhooks is on this machine.
        env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
        ...(redis ? { redisUrl: redis.url } : {}),
      });
      return new FaultEnvironment(portage, postgres, directory, redis);
    } catch (error) {
      if (redis) stopRedis(redis);
      await postgres.stop('immediate');
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.portage.stop();
    if (this.redis) stopRedis(this.redis);
    await this.postgres.stop('immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }

  get workers(): ServiceProcess[] {
    return this.portage.workers.filter(({ isRunning }) => isRunning);
  }

  /** Starts or stops workers until `workers` of them run, and starts the API if it does not run. */
  async restore(workers: number): Promise<void> {
    if (!this.portage.api?.isRunning) await this.portage.startApi();
    await Promise.all(this.workers.slice(workers).map(async (worker) => worker.stop()));
    const missing = Math.max(0, workers - this.workers.length);
    await Promise.all(Array.from({ length: missing }, async () => this.portage.startWorker()));
  }

  async kill(...services: ServiceProcess[]): Promise<void> {
    await Promise.all(services.map(killAndWait));
  }

  async killApi(): Promise<void> {
    await this.kill(this.portage.api!);
    await this.portage.startApi();
  }

  async restartPostgres(): Promise<void> {
    const before = await this.postgresStartedAt();
    await this.postgres.stop('immediate');
    await this.postgres.restart();
    if ((await this.postgresStartedAt()) === before) throw new Error('PostgreSQL was not restarted.');
  }

  /** Kills Redis, runs `meanwhile` after `milliseconds`, and then restarts Redis. */
  async withoutRedis<T>(milliseconds: number, meanwhile: () => Promise<T>): Promise<T> {
    await killRedis(this.redis!);
    try {
      await sleep(milliseconds);
      return await meanwhile();
    } finally {
      this.redis = await restartRedis(this.redis!);
    }
  }

  /** Suspends Redis, which keeps its connections open and does not respond, and runs `meanwhile` after `milliseconds`. */
  async withRedisSuspended<T>(milliseconds: number, meanwhile: () => Promise<T>): Promise<T> {
    return this.withSuspended([this.redis!.process], async () => {
      await sleep(milliseconds);
      return meanwhile();
    });
  }

  /** Suspends processes while `meanwhile` runs. */
  async withSuspended<T>(
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

  /** @returns the number of deleted jobs */
  async emptyRedis(): Promise<number> {
    const client = new Redis(this.redis!.url);
    const jobs = async () => (await client.keys(JOB_KEYS)).filter((key) => JOB_KEY.test(key)).length;
    try {
      await until(
        async () => (await jobs()) > 0,
        10_000,
        () => 'there were no jobs in Redis',
      );
      const answers = await client.multi().keys(JOB_KEYS).flushall().exec();
      const [[, keys], [, emptied]] = answers as [[null, string[]], [null, string]];
      if (emptied !== 'OK') throw new Error('Redis was not emptied.');
      return keys.filter((key) => JOB_KEY.test(key)).length;
    } finally {
      client.disconnect();
    }
  }

  /** The ids of the processes in the active jobs of the queue `account-imports`. */
  async activeProcesses(): Promise<string[]> {
    const { databaseUrl } = this.portage;
    // The types of BullMQ know the options of Redis only.
    const connection: QueueOptions['connection'] = this.redis
      ? { url: this.redis.url }
      : { connectionString: databaseUrl, options: `-c search_path=${DEFAULT_SCHEMA}`, max: 2 };
    const backend = (this.redis ? createRedisBackend : createPostgresBackend) as typeof createRedisBackend;
    const queue = new Queue<ActiveImport>('account-imports', { connection, skipMetasUpdate: true }, backend);
    try {
      const jobs = await queue.getJobs(['active']);
      return jobs.flatMap(({ data }) =>
        (data.processes ?? [data]).flatMap(({ processId }) => processId ?? []),
      );
    } finally {
      await queue.close();
    }
  }

  /** Runs SQL without constraint checks and without the protection of events. The database cannot be used for further faults. */
  async corrupt(sql: string): Promise<void> {
    await this.portage.sql(
      `SET LOCAL session_replication_role = replica;
       ALTER TABLE import_process_event DISABLE TRIGGER import_process_event_kept; ${sql}`,
    );
  }

  private async postgresStartedAt(): Promise<string> {
    const [row] = await this.portage.sql<{ at: string }>('SELECT pg_postmaster_start_time()::text AS at');
    return row!.at;
  }
}

async function killAndWait(service: ServiceProcess): Promise<void> {
  service.kill();
  const status = await service.exited;
  // A process that was ended by a signal has no exit status.
  if (status !== null) throw new Error(`The service had ended with status ${status} before it was killed.`);
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process was killed in the meantime.
  }
}
