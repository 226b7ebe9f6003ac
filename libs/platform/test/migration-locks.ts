import type { QueryRunner } from 'typeorm';
import type { Migration } from '../src/database/migrations/migration';

/** What a migration does to a table that existed before it, and that may be large and in use. */
export interface LockFinding {
  table: string;
  problem:
    | 'rewrites the table'
    | 'builds an index without CONCURRENTLY'
    | 'reads or changes rows while it blocks writes'
    | 'runs a statement outside of a transaction that may block';
}

/** Tables with few rows, which operators fill: a lock on them is short whatever it does. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'organisation',
  'api_key',
  'import_supplier',
  'installation',
  'operator_list',
  'rule_setting',
  'migrations',
  'webhook_endpoint',
]);

/** Statements that a migration without a transaction may run: they block no reads and no writes. */
const ALLOWED_WITHOUT_TRANSACTION = [
  /^CREATE (UNIQUE )?INDEX CONCURRENTLY /i,
  /^DROP INDEX CONCURRENTLY /i,
  /^ALTER TABLE "?\w+"? VALIDATE CONSTRAINT /i,
  /^(SET|RESET) /i,
  /^SELECT /i,
];

/** Locks that other transactions cannot write beside. */
const BLOCKS_WRITES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

/** The tables with their files, and how often this session has read each; the counts stay within a transaction. */
const TABLES = `
  SELECT pg_class.oid::text, relfilenode::text AS file, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 AS reads
  FROM pg_class LEFT JOIN pg_stat_xact_user_tables stat ON stat.relid = pg_class.oid
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/** The locks of this session on tables. */
const USE = `
  SELECT pg_class.oid::text, pg_class.relname AS name, pg_class.relfilenode::text AS file, pg_locks.mode,
    (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 AS reads
  FROM pg_locks JOIN pg_class ON pg_class.oid = relation
  LEFT JOIN pg_stat_xact_user_tables stat ON stat.relid = pg_class.oid
  WHERE pid = pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND pg_class.relkind = 'r' AND granted`;

interface Use {
  oid: string;
  name: string;
  file: string;
  mode: string;
  reads: number;
}

/**
 * Runs a migration on a server and reports what would block requests if its tables were large: by the locks that it
 * holds at its end, the tables that it has read and the files that it has written anew. So the rules hold for what
 * PostgreSQL does and not for what the SQL looks like.
 */
export async function runAndFindLocks(runner: QueryRunner, migration: Migration): Promise<LockFinding[]> {
  if (migration.transaction === false) return runWithoutTransaction(runner, migration);
  await runner.startTransaction();
  const tables = (await runner.query(TABLES)) as Pick<Use, 'oid' | 'file' | 'reads'>[];
  const before = new Map(tables.map((table) => [table.oid, table]));
  await migration.up(runner);
  const uses = (await runner.query(USE)) as Use[];
  await runner.commitTransaction();
  const findings = uses.flatMap(({ oid, name: table, file, mode, reads }): LockFinding[] => {
    const earlier = before.get(oid);
    if (!earlier || SMALL_TABLES.has(table) || !BLOCKS_WRITES.includes(mode)) return [];
    if (file !== earlier.file) return [{ table, problem: 'rewrites the table' }];
    if (mode === 'ShareLock') return [{ table, problem: 'builds an index without CONCURRENTLY' }];
    return reads > earlier.reads ? [{ table, problem: 'reads or changes rows while it blocks writes' }] : [];
  });
  return distinct(findings);
}

/** Runs the statements of a migration without a transaction, each of which has to be harmless by itself. */
async function runWithoutTransaction(runner: QueryRunner, migration: Migration): Promise<LockFinding[]> {
  const findings: LockFinding[] = [];
  const query = runner.query.bind(runner);
  const watched = async (text: string, ...others: unknown[]): Promise<unknown> => {
    if (!ALLOWED_WITHOUT_TRANSACTION.some((allowed) => allowed.test(text.trim())))
      findings.push({
        table: text.trim().slice(0, 60),
        problem: 'runs a statement outside of a transaction that may block',
      });
    return (query as (...all: unknown[]) => Promise<unknown>)(text, ...others);
  };
  runner.query = watched as QueryRunner['query'];
  try {
    await migration.up(runner);
  } finally {
    runner.query = query;
  }
  return findings;
}

function distinct(findings: readonly LockFinding[]): LockFinding[] {
  const byText = new Map(findings.map((finding) => [`${finding.table} ${finding.problem}`, finding]));
  return [...byText.values()].sort((one, other) => (one.table < other.table ? -1 : 1));
}
