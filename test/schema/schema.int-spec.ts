import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDatabase } from '@portage/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { platformEntities } from '../../libs/platform/src/entities';
import { tenantEntities } from '../../libs/tenants/src/entities';
import { accountEntities } from '../../libs/accounts/src/entities';
import { importEntities } from '../../libs/imports/src/entities';
import { submissionEntities } from '../../libs/submissions/src/entities';
import { eventEntities } from '../../libs/events/src/entities';
import { operatorEntities } from '../../libs/operators/src/entities';
import { dataSourceOptions, openDataSource } from '../../libs/platform/src/database/data-source';
import { OrganisationEntity } from '../../libs/tenants/src/access/organisation.entity';
import { SCHEMA_EXCEPTIONS, type SchemaException } from './schema-exceptions';

const MIGRATE = join(__dirname, '..', '..', 'dist', 'apps', 'cli', 'src', 'migrate.js');

const optionsFor = (url: string) => ({
  ...dataSourceOptions(
    { DATABASE_URL: url, DATABASE_POOL: 4, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 },
    () => undefined,
  ),
  entities: [
    ...platformEntities,
    ...tenantEntities,
    ...accountEntities,
    ...importEntities,
    ...submissionEntities,
    ...eventEntities,
    ...operatorEntities,
  ],
});

async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; DROP SCHEMA bullmq CASCADE; CREATE SCHEMA public');
  await client.end();
}

/**
 * Each object of the schema with its definition, as PostgreSQL prints it. Not included: TypeORM's own table of
 * migrations, not-null constraints (they are part of the columns) and the sequences of identity columns.
 */
const CATALOGUE = `
  WITH tables AS (
    SELECT * FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relname <> 'migrations'
  )
  SELECT 'table ' || relname AS object,
    concat_ws(' ', relkind, relreplident, relrowsecurity, reloptions::text, obj_description(oid, 'pg_class')) AS definition
  FROM tables
  UNION ALL
  SELECT 'unlogged table ' || relname, '' FROM tables WHERE relpersistence <> 'p'
  UNION ALL
  SELECT 'column ' || relname || '.' || attname,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull,
      -- TypeORM quotes the default of a number.
      regexp_replace(pg_get_expr(adbin, adrelid), '^''(\\d+)''::smallint$', '\\1'), attidentity, attgenerated,
      attstorage, attcollation, attoptions::text, col_description(attrelid, attnum))
  FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT 'compression ' || relname || '.' || attname, attcompression::text
  FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND attcompression <> ''
  UNION ALL
  SELECT 'constraint ' || relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
  FROM tables JOIN pg_constraint ON conrelid = tables.oid AND contype <> 'n'
  UNION ALL
  SELECT 'index ' || relname || '.' || indexrelid::regclass, pg_get_indexdef(indexrelid)
  FROM tables JOIN pg_index ON indrelid = tables.oid
  UNION ALL
  SELECT 'trigger ' || relname || '.' || tgname, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid)
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid AND NOT tgisinternal
  UNION ALL
  SELECT 'policy ' || tablename || '.' || policyname, qual FROM pg_policies WHERE schemaname = 'public'
  UNION ALL
  SELECT 'function ' || proname, pg_get_functiondef(oid) FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
  UNION ALL
  SELECT 'type ' || typname, typtype::text FROM pg_type
  WHERE typnamespace = 'public'::regnamespace AND typtype NOT IN ('c', 'b')
  UNION ALL
  SELECT 'sequence ' || relname, '' FROM pg_class sequence
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND NOT EXISTS (
    SELECT FROM pg_depend WHERE objid = sequence.oid AND deptype IN ('a', 'i') AND refobjsubid > 0)`;

async function schemaOf(dataSource: DataSource): Promise<Map<string, string>> {
  const rows = await dataSource.query<{ object: string; definition: string }[]>(CATALOGUE);
  return new Map(rows.map(({ object, definition }) => [object, definition]));
}

/** The exceptions that this server can have. */
async function exceptionsOn(dataSource: DataSource): Promise<readonly SchemaException[]> {
  const [{ lz4 } = { lz4: false }] = await dataSource.query<{ lz4: boolean }[]>(
    `SELECT 'lz4' = ANY (enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression'`,
  );
  return SCHEMA_EXCEPTIONS.filter(({ requires }) => requires === undefined || lz4);
}

describe('the schema', () => {
  let url: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    url = await newDatabase();
    dataSource = await new DataSource(optionsFor(url)).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
  });

  it('needs no migration to agree with the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('equals the declarations of the entities, except for the listed exceptions', async () => {
    const declaredUrl = await newDatabase();
    await empty(declaredUrl);
    const fromEntities = await new DataSource(optionsFor(declaredUrl)).initialize();
    try {
      await fromEntities.synchronize();
      const [migrated, declared] = [await schemaOf(dataSource), await schemaOf(fromEntities)];
      const objects = [...new Set([...migrated.keys(), ...declared.keys()])];
      const differences = objects.filter((object) => migrated.get(object) !== declared.get(object));
      const isException = new Set((await exceptionsOn(dataSource)).map(({ object }) => object));
      expect(
        differences
          .filter((object) => !isException.has(object))
          .map((object) => ({ object, migrated: migrated.get(object), declared: declared.get(object) })),
      ).toEqual([]);
      expect([...isException].filter((object) => !differences.includes(object))).toEqual([]);
      // All kinds of objects were read.
      expect(migrated.size).toBeGreaterThan(400);
    } finally {
      await fromEntities.destroy();
    }
  });

  it('has a reason for each exception, which only the migrations declare', async () => {
    const migrated = await schemaOf(dataSource);
    for (const { object, reason } of await exceptionsOn(dataSource)) {
      expect([object, migrated.has(object)]).toEqual([object, true]);
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it('delivers timestamps with their microseconds, through a query and as an entity', async () => {
    const opened = await openDataSource(optionsFor(url));
    try {
      await opened.query(
        `INSERT INTO organisation (name, created_at) VALUES ('Precise', '2026-01-31T23:59:59.123456+05:30')`,
      );
      const rows = await opened.query<{ created_at: string }[]>('SELECT created_at FROM organisation');
      expect(rows).toEqual([{ created_at: '2026-01-31 18:29:59.123456+00' }]);
      const organisation = await opened
        .getRepository(OrganisationEntity)
        .findOneByOrFail({ name: 'Precise' });
      expect(organisation.createdAt).toBe('2026-01-31 18:29:59.123456+00');
    } finally {
      await opened.destroy();
    }
  });

  it('is migrated once by two commands that start together; a third has nothing to do', async () => {
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
