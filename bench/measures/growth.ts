import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { type Book, BookSource } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { importBook, type ImportedBook, postBook } from './import';
import { interleave } from './interleave';
import type { Bench, Goal, Table } from './measure';

/** The rounds take long and vary little. */
const MAX_ROUNDS = 3;

/** Disk space per stored account with its write-ahead log, and for everything else. */
const DISK_BYTES = { perAccount: 14_000, other: 5e9 };

/** Accounts of a submission that stores accounts. */
const STORED_AT_ONCE = 10_000;

/** The imports by the number of stored accounts. */
type Growth = ReadonlyMap<string, readonly ImportedBook[]>;

/** The book of a round, the same one for both databases. */
interface Round {
  readonly warmUp: Book;
  readonly book: Book;
}

/** Imports into an empty database, and into one with many accounts that Portage has imported. */
export async function measureGrowth(bench: Bench): Promise<Growth> {
  const { servers, stored } = bench;
  requireDisk(servers.directory, stored * DISK_BYTES.perAccount + DISK_BYTES.other);
  const source = new BookSource(SUPPLIER);
  const next = (count: number) => withScatteredNumbers(source.next(count));
  const rounds = Array.from({ length: Math.min(MAX_ROUNDS, bench.rounds) }, () => ({
    ...{ warmUp: next(Math.ceil(bench.accounts / 10)), book: next(bench.accounts) },
  }));
  const installation = await servers.installation(servers.fasterBackend);
  try {
    const running = await installation.start(portage, 1);
    for (let count = 0; count < stored; count += STORED_AT_ONCE) {
      const book = next(Math.min(STORED_AT_ONCE, stored - count));
      await importBook(installation, running, 'submission', book, `stored-${count}`);
      bench.log(`stored ${(count + book.payloads.length).toLocaleString('en')} accounts`);
    }
    await installation.allProcessed(stored);
    await running.stop();
    await installation.sql('VACUUM (ANALYZE)');
    return await interleave({ rounds: rounds.length, log: bench.log }, [
      turn('0', rounds, async (round) => importIntoNew(bench, round)),
      turn(stored.toLocaleString('en'), rounds, async (round) =>
        importIntoExisting(bench, installation, round),
      ),
    ]);
  } finally {
    await installation.close();
  }
}

export function growthTable(growth: Growth): Table {
  return {
    caption: 'Single POSTs into databases with stored accounts',
    columns: ['stored accounts', 'accounts/s', 'POST p50 ms', 'PostgreSQL ms an account'],
    rows: [...growth].map(([name, runs]) => [
      name,
      formatFigures(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
      formatFigures(runs.map(({ posts }) => posts?.latency.p50 ?? NaN)),
      formatFigures(runs.map(({ times }) => times.postgres)),
    ]),
  };
}

export function growthGoal(growth: Growth): Goal {
  const rates = [...growth.values()].map((runs) =>
    median(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
  );
  const name = `with ${[...growth.keys()].at(-1)} stored against an empty database`;
  return { name, measured: (rates.at(-1) ?? NaN) / (rates[0] ?? NaN), atLeast: 0.95 };
}

function turn(name: string, rounds: readonly Round[], run: (round: Round) => Promise<ImportedBook>) {
  const next = rounds.values();
  return {
    name: `${name} stored`,
    run: async () => {
      const { value } = next.next();
      if (!value) throw new Error('No book is left for another round.');
      return run(value);
    },
    summarize: ({ accountsPerSecond }: ImportedBook) => `${formatFigure(accountsPerSecond)} accounts/s`,
  };
}

async function importIntoNew(bench: Bench, round: Round): Promise<ImportedBook> {
  const installation = await bench.servers.installation(bench.servers.fasterBackend);
  try {
    return await importIntoExisting(bench, installation, round);
  } finally {
    await installation.close();
  }
}

async function importIntoExisting(
  bench: Bench,
  installation: Installation,
  { warmUp, book }: Round,
): Promise<ImportedBook> {
  await installation.disableAutovacuum();
  await bench.servers.checkpoint();
  const [stored] = await installation.sql<{ count: number }>(
    'SELECT count(*)::integer AS count FROM import_process',
  );
  const running = await installation.start(portage, 1);
  try {
    await postBook(running, warmUp);
    await installation.allFinished();
    const imported = await importBook(installation, running, 'posts', book, 'book');
    const count = (stored?.count ?? NaN) + warmUp.payloads.length + book.payloads.length;
    await installation.allProcessed(count);
    return imported;
  } finally {
    await running.stop();
  }
}

/** Replaces consecutive account numbers by random ones, which are spread among the stored ones. */
function withScatteredNumbers(book: Book): Book {
  const hashedNumber = (name: string) =>
    `${SUPPLIER}-${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
  const number = new RegExp(`${SUPPLIER}-\\d+-\\d+`, 'g');
  return {
    ...book,
    payloads: book.payloads.map((payload) => Buffer.from(payload.toString().replace(number, hashedNumber))),
  };
}

/** @throws Error if the disk has too little space */
function requireDisk(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const gigabytes = (count: number) => formatFigure(count / 1e9);
  if (bavail * bsize < bytes)
    throw new Error(
      `The stored accounts need ${gigabytes(bytes)} GB of disk and ${gigabytes(bavail * bsize)} GB are free. Use a lower --stored.`,
    );
}
