import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { EmbeddedPostgres, type ServiceProcess } from '@portage/local-environment';
import {
  builtProgram,
  killRedis,
  type RedisServer,
  startRedis,
  restartRedis,
  stopRedis,
  type TestedBackend,
  TestPortage,
  until,
} from '@portage/testing';

const JOB_KEYS = 'bull:account-imports:process-*';
const JOB_KEY = /:process-\d+-\d+$/;

/**
 * API, worker, PostgreSQL and Redis as processes of their own that nobody else uses, so that each can be hit. Each
 * context returns once what was hit is there again, and fails where it did not land.
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
    // As in production: what PostgreSQL has confirmed survives its crash.
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
        ...{ backend, databaseUrl, waits },
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

  /** As many workers as wanted, and an API, whatever an earlier fault has left. */
  async restore(workers: number): Promise<void> {
    if (!this.portage.api?.isRunning) await this.portage.startApi();
    await Promise.all(this.workers.slice(workers).map(async (worker) => worker.stop()));
    const missing = Math.max(0, workers - this.workers.length);
    await Promise.all(Array.from({ length: missing }, async () => this.portage.startWorker()));
  }

  async kill(...services: ServiceProcess[]): Promise<void> {
    await Promise.all(services.map(killed));
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

  /** Runs `meanwhile` at the end of the time that Redis is gone. */
  async withoutRedis<T>(milliseconds: number, meanwhile: () => Promise<T>): Promise<T> {
    await killRedis(this.redis!);
    try {
      await sleep(milliseconds);
      return await meanwhile();
    } finally {
      this.redis = await restartRedis(this.redis!);
    }
  }

  /** Redis keeps its connections and answers nothing. */
  async withRedisFrozen<T>(milliseconds: number, meanwhile: () => Promise<T>): Promise<T> {
    return this.withFrozen([this.redis!.process], async () => {
      await sleep(milliseconds);
      return meanwhile();
    });
  }

  /** Lets processes stand still while `meanwhile` runs, which gets the time since when they do. */
  async withFrozen<T>(
    processes: readonly { pid?: number | undefined }[],
    meanwhile: (since: Date) => Promise<T>,
  ): Promise<T> {
    for (const { pid } of processes) process.kill(pid!, 'SIGSTOP');
    try {
      return await meanwhile(new Date());
    } finally {
      for (const { pid } of processes) resume(pid!);
    }
  }

  /** @returns how many jobs were lost */
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

  /** Runs SQL that no constraint stops, for a database whose end is near. */
  async damage(sql: string): Promise<void> {
    await this.portage.sql(`SET session_replication_role = replica; ${sql}`);
  }

  private async postgresStartedAt(): Promise<string> {
    const [row] = await this.portage.sql<{ at: string }>('SELECT pg_postmaster_start_time()::text AS at');
    return row!.at;
  }
}

async function killed(service: ServiceProcess): Promise<void> {
  service.kill();
  const status = await service.exited;
  // Whoever ends by a signal has no status.
  if (status !== null) throw new Error(`The service had ended with status ${status} before it was killed.`);
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It was killed meanwhile.
  }
}
