import { ConsoleLogger, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { OperatorsModule } from '@portage/operators';
import {
  CACHE_LIFETIME_MS,
  ConfigModule,
  loadConfig,
  ObservabilityModule,
  PlatformModule,
} from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { type ImportSupplierEntity, ImportSuppliers, Organisations, TenantsModule } from '@portage/tenants';
import { DataSource } from 'typeorm';
import { newRedisDatabase, type TestedBackend } from '../backends';
import { newDatabase } from '../template-database';
import { newDirectory } from '../test-directory';
import { until } from '../until';

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
  sql: <Row = unknown>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** The number of rows of a table, or of any FROM and what follows it. */
  countRows: (from: string, values?: unknown[]) => Promise<number>;
  /** Waits until this many sessions of the database wait for a lock, with statements that are LIKE `query`. */
  untilWaiting: (count?: number, query?: string) => Promise<void>;
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
    PORTAGE_DIR: newDirectory(),
    LOG_LEVEL: 'silent',
    // A worker of a busy machine may need longer than clients wait by default.
    OUTCOME_WAIT_MS: '60000',
    ...env,
  });
  const builder = Test.createTestingModule({
    imports: [
      ConfigModule.with(config),
      ObservabilityModule,
      PlatformModule,
      TenantsModule,
      AccountsModule,
      ImportsModule,
      SubmissionsModule,
      EventsModule,
      OperatorsModule,
    ],
  });
  if (cacheLifetimeMs !== undefined) builder.overrideProvider(CACHE_LIFETIME_MS).useValue(cacheLifetimeMs);
  const app = await builder.setLogger(new ConsoleLogger({ logLevels: [] })).compile();
  await app.init();
  const { id } = await app.get(Organisations).create('Supplier Ltd');
  const supplier = await app.get(ImportSuppliers).create('LEGACY', 'Supplier Ltd', {});
  const caller = { organisationId: id, actor: 'api-key:test' };
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    app.get(DataSource).query<Row[]>(text, values);
  const countRows = async (from: string, values?: unknown[]) =>
    (await sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`, values))[0]!.count;
  const untilWaiting = async (expected = 1, query = '%') => {
    const waiting = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    await until(
      async () => (await countRows(waiting, [query])) === expected,
      async () => `${await countRows(waiting, [query])} instead of ${expected} sessions wait for a lock`,
    );
  };
  return { app, databaseUrl, supplier, organisationId: id, caller, sql, countRows, untilWaiting };
}

/** Starts an application before the cases of the file or block that calls this, and closes it after them. */
export function useApplication(...options: Parameters<typeof startApplication>): TestApplication {
  const test = {} as TestApplication;
  beforeAll(async () => {
    Object.assign(test, await startApplication(...options));
  });
  afterAll(async () => {
    await test.app.close();
  });
  return test;
}

/** As `useApplication`, with an application of its own for each case. */
export function useApplicationPerCase(...options: Parameters<typeof startApplication>): TestApplication {
  const test = {} as TestApplication;
  beforeEach(async () => {
    Object.assign(test, await startApplication(...options));
  });
  afterEach(async () => {
    await test.app.close();
  });
  return test;
}
