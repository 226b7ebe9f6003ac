import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '@portage/platform';
import { newDatabase, newDirectory, newRedisDatabase, type TestedBackend } from '@portage/testing';
import { WorkerModule } from '../src/worker.module';

export interface WorkerUnderTest {
  app: INestApplicationContext;
  databaseUrl: string;
}

/** Starts the worker application without its HTTP server, on a database and a queue of its own. It does not sweep. */
export async function startWorker(
  backend: TestedBackend,
  env: NodeJS.ProcessEnv = {},
): Promise<WorkerUnderTest> {
  const databaseUrl = await newDatabase();
  const redisUrl = await newRedisDatabase(backend);
  const config = loadConfig('worker', {
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    PORTAGE_DIR: newDirectory(),
    LOG_LEVEL: 'silent',
    SWEEP_INTERVAL_MS: '3600000',
    ...env,
  });
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), { logger: false });
  return { app, databaseUrl };
}
