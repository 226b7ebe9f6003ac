import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { newDatabase } from '@portage/testing';
import { dataSourceOptions } from './data-source';

const MIGRATE = join(__dirname, '..', '..', '..', 'dist', 'apps', 'cli', 'src', 'migrate.js');

async function connected(url: string): Promise<DataSource> {
  return new DataSource(
    dataSourceOptions(
      {
        DATABASE_URL: url,
        DATABASE_POOL: 4,
        DATABASE_STATEMENT_TIMEOUT_MS: 10_000,
        DATABASE_CONNECT_TIMEOUT_MS: 5_000,
      },
      () => undefined,
    ),
  ).initialize();
}

async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; DROP SCHEMA bullmq CASCADE; CREATE SCHEMA public');
  await client.end();
}

describe('the schema', () => {
  let url: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    url = await newDatabase();
    dataSource = await connected(url);
  });
  afterAll(async () => {
    await dataSource.destroy();
  });

  it('agrees with the entities: every property has its column, as nullable as it says', async () => {
    const columns = await dataSource.query<{ key: string; nullable: string }[]>(`
      SELECT table_name || '.' || column_name AS key, is_nullable AS nullable
      FROM information_schema.columns WHERE table_schema = 'public'`);
    const stored = new Map(columns.map(({ key, nullable }) => [key, nullable === 'YES']));
    for (const { tableName, columns } of dataSource.entityMetadatas)
      for (const { databaseName, isNullable } of columns)
        expect([`${tableName}.${databaseName}`, stored.get(`${tableName}.${databaseName}`)]).toEqual([
          `${tableName}.${databaseName}`,
          isNullable,
        ]);
  });

  it('keeps the microseconds of a timestamp, read through TypeORM and through a statement', async () => {
    await dataSource.query(
      `INSERT INTO organisation (name, created_at) VALUES ('Precise', '2026-01-31T23:59:59.123456+05:30')`,
    );
    const rows = await dataSource.query<{ created_at: string }[]>('SELECT created_at FROM organisation');
    expect(rows).toEqual([{ created_at: '2026-01-31 18:29:59.123456+00' }]);
  });

  it('goes down to nothing and up again', async () => {
    while ((await dataSource.query<unknown[]>('SELECT 1 FROM migrations')).length > 0)
      await dataSource.undoLastMigration();
    const left = await dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(left).toEqual([{ name: 'migrations' }]);
    expect((await dataSource.runMigrations()).length).toBeGreaterThan(0);
  });

  it('is migrated once by two commands that start together, and a third finds nothing to do', async () => {
    await empty(url);
    const migrate = async () =>
      promisify(execFile)(process.execPath, [MIGRATE], {
        env: { PATH: process.env['PATH'], DATABASE_URL: url },
      });
    const [one, other] = await Promise.all([migrate(), migrate()]);
    expect([one.stdout, other.stdout].sort()).toEqual([
      expect.stringMatching(/^Migrated: FirstSchema/),
      'The database is up to date.\n',
    ]);
    expect((await migrate()).stdout).toBe('The database is up to date.\n');
  });
});
