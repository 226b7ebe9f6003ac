import { newDatabase } from '@portage/testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../data-source';
import { migrations } from '../migrations';
import type { Migration } from '../migrations/migration';
import { createIndexConcurrently } from './create-index-concurrently';
import { type LockFinding, runAndFindLocks } from '../../../test/migration-locks';

async function withRunner<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
  const url = await newDatabase('template0');
  const settings = { DATABASE_URL: url, DATABASE_POOL: 2, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };
  const dataSource = await new DataSource(dataSourceOptions(settings, () => undefined)).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

it('no migration blocks requests for as long as a large table takes', async () => {
  const found = await withRunner(async (runner) => {
    const findings: Record<string, LockFinding[]> = {};
    for (const Each of migrations) findings[Each.name] = await runAndFindLocks(runner, new Each());
    return findings;
  });
  expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
});

/** A migration of these statements. */
const of = (...statements: string[]) => ({
  up: async (runner: QueryRunner) => {
    for (const statement of statements) await runner.query(statement);
  },
});
const withoutTransaction = (...statements: string[]) => ({ ...of(...statements), transaction: false });

const REWRITES = 'rewrites the table';
const BLOCKS = 'reads or changes rows while it blocks writes';
const BLOCKING: [name: string, statement: string, problem: LockFinding['problem']][] = [
  ['a type that is stored otherwise', 'ALTER TABLE large ALTER a TYPE bigint', REWRITES],
  ['a column with a volatile default', 'ALTER TABLE large ADD d uuid DEFAULT gen_random_uuid()', REWRITES],
  ['an index', 'CREATE INDEX large_a ON large (a)', 'builds an index without CONCURRENTLY'],
  ['NOT NULL without a valid check', 'ALTER TABLE large ALTER b SET NOT NULL', BLOCKS],
  ['a check that is validated at once', 'ALTER TABLE large ADD CONSTRAINT c CHECK (a > 0)', BLOCKS],
  ['a foreign key validated at once', 'ALTER TABLE large ADD FOREIGN KEY (a) REFERENCES other (id)', BLOCKS],
  ['a new column that is filled at once', 'ALTER TABLE large ADD e integer; UPDATE large SET e = 1', BLOCKS],
];

const HARMLESS: [name: string, migration: Migration][] = [
  ['a nullable column', of('ALTER TABLE large ADD d text')],
  ['a column with a constant default', of('ALTER TABLE large ADD d integer NOT NULL DEFAULT 1')],
  [
    'a check that is validated later',
    of('ALTER TABLE large ADD CONSTRAINT c CHECK (b IS NOT NULL) NOT VALID'),
  ],
  [
    'a trigger',
    of('CREATE TRIGGER t BEFORE INSERT ON large EXECUTE FUNCTION suppress_redundant_updates_trigger()'),
  ],
  ['a new table with an index', of('CREATE TABLE new (id integer)', 'CREATE INDEX new_id ON new (id)')],
  [
    'an index that is built concurrently',
    {
      ...withoutTransaction(),
      up: async (runner) => createIndexConcurrently(runner, 'large_a', 'ON large (a)'),
    },
  ],
];

describe('the lint of migrations', () => {
  const withTables = async (migration: Migration) =>
    withRunner(async (runner) => {
      await runner.query(`CREATE TABLE other (id integer PRIMARY KEY);
        CREATE TABLE large (id integer PRIMARY KEY, a integer, b integer);
        INSERT INTO large SELECT i, NULL, i FROM generate_series(1, 10) AS i`);
      return runAndFindLocks(runner, migration);
    });

  it.each(BLOCKING)('finds %s', async (_name, statement, problem) => {
    const found = await withTables(of(statement.replace('; ', ';\n')));
    expect(found).toContainEqual({ table: 'large', problem });
  });

  it.each(HARMLESS)('accepts %s', async (_name, migration) => {
    expect(await withTables(migration)).toEqual([]);
  });

  it('accepts NOT NULL after a validated check, in steps that block nothing for long', async () => {
    await withRunner(async (runner) => {
      await runner.query(
        'CREATE TABLE large (id integer PRIMARY KEY, b integer); INSERT INTO large VALUES (1, 1)',
      );
      const steps = [
        of('ALTER TABLE large ADD CONSTRAINT large_b CHECK (b IS NOT NULL) NOT VALID'),
        withoutTransaction('ALTER TABLE large VALIDATE CONSTRAINT large_b'),
        of('ALTER TABLE large ALTER b SET NOT NULL', 'ALTER TABLE large DROP CONSTRAINT large_b'),
      ];
      for (const step of steps) expect(await runAndFindLocks(runner, step)).toEqual([]);
    });
  });

  it('finds a statement without a transaction that may block', async () => {
    const found = await withTables(withoutTransaction('UPDATE large SET a = 1'));
    expect(found).toEqual([
      {
        table: 'UPDATE large SET a = 1',
        problem: 'runs a statement outside of a transaction that may block',
      },
    ]);
  });

  it('builds an index again that an interrupted migration has left invalid', async () => {
    await withRunner(async (runner) => {
      await runner.query('CREATE TABLE large (a integer); INSERT INTO large VALUES (1), (1)');
      const build = async () =>
        createIndexConcurrently(runner, 'large_a', 'ON large (a)', { isUnique: true });
      await expect(build()).rejects.toThrow('could not create unique index');
      await runner.query('DELETE FROM large');
      await build();
      const indexes = (await runner.query(
        `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = 'large_a'::regclass`,
      )) as unknown[];
      expect(indexes).toEqual([{ isValid: true }]);
    });
  });

  it('ends a build that waits for an open transaction for too long, and leaves the session as it was', async () => {
    await withRunner(async (runner) => {
      await runner.query('CREATE TABLE large (a integer)');
      const other = runner.dataSource.createQueryRunner();
      try {
        await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        await other.query('SELECT FROM large');
        const build = async () =>
          createIndexConcurrently(runner, 'large_a', 'ON large (a)', { maxWaitMs: 200 });
        await expect(build()).rejects.toMatchObject({ driverError: { code: '55P03' } });
        await other.query('COMMIT');
        await build();
      } finally {
        await other.release();
      }
      expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '0' }]);
    });
  });
});
