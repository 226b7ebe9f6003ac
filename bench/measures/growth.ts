import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Book, BookSource } from '../book';
import { Contender, portage, SUPPLIER } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { copyAccounts } from '../stored-accounts';
import { importBook, type ImportedBook, postBook } from './import';
import { interleave } from './interleave';
import type { Bench, Goal, Table } from './measure';

/** Disk space per stored account with its write-ahead log, and for everything else. */
const DISK_BYTES = { perAccount: 14_000, other: 5e9 };

/** Each imported account is stored as often as that. */
const COPIES = 100;

/** The imports by the number of stored accounts. */
type Growth = ReadonlyMap<string, readonly ImportedBook[]>;

/** Imports into an empty database, and into one with many accounts. */
export async function measureGrowth(bench: Bench): Promise<Growth> {
  const source = new ScatteredSource();
  const nextBooks = () => [source.next(Math.ceil(bench.accounts / 10)), source.next(bench.accounts)] as const;
  return emptyAndFull(bench, source, {
    run: async (contender) => importInto(contender, ...nextBooks()),
    summarize: ({ accountsPerSecond }) => `${formatFigure(accountsPerSecond)} accounts/s`,
  });
}

/**
 * Does the same work in an empty database and in one with `bench.stored` accounts, in turn.
 *
 * @returns the results by the number of stored accounts
 */
export async function emptyAndFull<Result>(
  bench: Bench,
  source: ScatteredSource,
  turn: { run(contender: Contender): Promise<Result>; summarize(result: Result): string },
): Promise<Map<string, Result[]>> {
  const start = async () =>
    Contender.start(portage, { backend: bench.backends[0], workers: 1, autovacuum: 'off' });
  const inEmpty = {
    name: '0',
    summarize: (result: Result) => turn.summarize(result),
    run: async () => {
      const empty = await start();
      try {
        return await turn.run(empty);
      } finally {
        await empty.stop();
      }
    },
  };
  if (bench.stored === 0) return interleave(bench, [inEmpty]);
  requireDisk(tmpdir(), bench.stored * DISK_BYTES.perAccount + DISK_BYTES.other);
  const full = await start();
  try {
    await store(bench, full, source);
    const inFull = {
      name: bench.stored.toLocaleString('en'),
      summarize: (result: Result) => turn.summarize(result),
      run: async () => turn.run(full),
    };
    return await interleave(bench, [inEmpty, inFull]);
  } finally {
    await full.stop();
  }
}

/** Imports some accounts, and copies their rows: importing all of them would take an hour. */
async function store({ stored, log }: Bench, contender: Contender, source: ScatteredSource): Promise<void> {
  const imported = Math.ceil(stored / COPIES);
  await importBook(contender, 'submission', source.next(imported), 'stored');
  await contender.allProcessed(imported);
  await copyAccounts(contender, COPIES - 1, (copied) => {
    if (copied % (imported * 10) === 0) log(`stored ${copied.toLocaleString('en')} accounts`);
  });
  await contender.sql('VACUUM (ANALYZE)');
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
  const [empty = NaN, stored = NaN] = [...growth.values()].map((runs) =>
    median(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
  );
  const name = `with ${[...growth.keys()].at(-1)} stored against an empty database`;
  return { name, measured: stored / empty, atLeast: 0.95 };
}

/** Both databases get cold programs, which a part of the book warms up. */
async function importInto(contender: Contender, warmUp: Book, book: Book): Promise<ImportedBook> {
  await restart(contender);
  const [stored] = await contender.sql<{ count: number }>(
    'SELECT count(*)::integer AS count FROM import_process',
  );
  await postBook(contender, warmUp);
  await contender.allFinished();
  const imported = await importBook(contender, 'posts', book, 'book');
  await contender.allProcessed((stored?.count ?? NaN) + warmUp.payloads.length + book.payloads.length);
  await contender.stopPrograms();
  return imported;
}

/** Starts the API and one worker again, with a database that has nothing left to write. */
export async function restart(contender: Contender): Promise<void> {
  await contender.stopPrograms();
  await contender.sql('CHECKPOINT');
  await contender.startPrograms(1);
}

/** Accounts with random numbers instead of consecutive ones, so that each book is spread among the stored ones. */
export class ScatteredSource {
  private readonly source = new BookSource(SUPPLIER);

  next(accounts: number): Book {
    const book = this.source.next(accounts);
    const hashedNumber = (name: string) =>
      `${SUPPLIER}-${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
    const number = new RegExp(`${SUPPLIER}-\\d+-\\d+`, 'g');
    return {
      ...book,
      payloads: book.payloads.map((payload) => Buffer.from(payload.toString().replace(number, hashedNumber))),
    };
  }
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
