import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, loadConfig } from '@portage/config';
import { DatabaseModule, type ImportSupplierEntity } from '@portage/database';
import { ImportingModule, ImportSuppliers, Organisations } from '@portage/importing';
import { ObservabilityModule } from '@portage/observability';
import { QueuesModule } from '@portage/queues';
import { newRedisDatabase, type TestedBackend } from '../backends';
import { newDatabase } from '../template-database';

@Module({})
class ApplicationUnderTest {}

interface ApplicationOptions {
  /** How long rows are cached; by default as long as in production. */
  cacheLifetimeMs?: number;
}

export interface TestApplication {
  app: INestApplicationContext;
  databaseUrl: string;
  supplier: ImportSupplierEntity;
  organisationId: number;
  /** The sender of accounts. */
  caller: { organisationId: number; actor: string };
}

/** Each read goes to the database, so that a change holds for the next read. */
export const WITHOUT_CACHES: ApplicationOptions = { cacheLifetimeMs: 0 };

/** Starts the use cases in the test's process, on a database and a queue of their own, with a supplier LEGACY. */
export async function startApplication(
  backend: TestedBackend = 'postgres',
  env: NodeJS.ProcessEnv = {},
  { cacheLifetimeMs }: ApplicationOptions = {},
): Promise<TestApplication> {
  const databaseUrl = await newDatabase();
  const redisUrl = await newRedisDatabase(backend);
  const config = loadConfig('api', {
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    PORTAGE_DIR: mkdtempSync(join(tmpdir(), 'portage-int-')),
    LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await NestFactory.createApplicationContext(
    {
      module: ApplicationUnderTest,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        DatabaseModule,
        QueuesModule,
        cacheLifetimeMs === undefined ? ImportingModule : ImportingModule.withCacheLifetime(cacheLifetimeMs),
      ],
    },
    { logger: false, abortOnError: false },
  );
  const { id } = await app.get(Organisations).create('Supplier Ltd');
  const supplier = await app.get(ImportSuppliers).create('LEGACY', 'Supplier Ltd', {});
  const caller = { organisationId: id, actor: 'api-key:test' };
  return { app, databaseUrl, supplier, organisationId: id, caller };
}
