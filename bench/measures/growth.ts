import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Book, BookSource } from '../book';
import { Contender, portage, SUPPLIER } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { importBook, type ImportedBook, postBook } from './import';
import { interleave } from './interleave';
import type { Bench, Goal, Table } from './measure';

/** Disk space per stored account with its write-ahead log, and for everything else. */
const DISK_BYTES = { perAccount: 14_000, other: 5e9 };

/** Accounts of a submission that stores accounts. */
const STORED_AT_ONCE = 10_000;

/** The imports by the number of stored accounts. */
type Growth = ReadonlyMap<string, readonly ImportedBook[]>;

/** Imports into an empty database, and into one with many accounts that Portage has imported. */
export async function measureGrowth(bench: Bench): Promise<Growth> {
  const { stored } = bench;
  requireDisk(tmpdir(), stored * DISK_BYTES.perAccount + DISK_BYTES.other);
  const source = new BookSource(SUPPLIER);
  const next = (count: number) => withScatteredNumbers(source.next(count));
  const start = async () =>
    Contender.start(portage, {
      backend: bench.backends[0],
      workers: 1,
      autovacuum: 'off',
    });
  const full = await start();
  try {
    for (let count = 0; count < stored; count += STORED_AT_ONCE) {
      const book = next(Math.min(STORED_AT_ONCE, stored - count));
      await importBook(full, 'submission', book, `stored-${count}`);
      bench.log(`stored ${(count + book.payloads.length).toLocaleString('en')} accounts`);
    }
    await full.allProcessed(stored);
    await full.sql('VACUUM (ANALYZE)');
    const summarize = ({ accountsPerSecond }: ImportedBook) =>
      `${formatFigure(accountsPerSecond)} accounts/s`;
    const nextBooks = () => [next(Math.ceil(bench.accounts / 10)), next(bench.accounts)] as const;
    return await interleave(bench, [
      {
        name: '0',
        summarize,
        run: async () => {
          const empty = await start();
          try {
            return await importInto(empty, ...nextBooks());
          } finally {
            await empty.stop();
          }
        },
      },
      {
        name: stored.toLocaleString('en'),
        summarize,
        run: async () => importInto(full, ...nextBooks()),
      },
    ]);
  } finally {
    await full.stop();
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
  const [empty = NaN, stored = NaN] = [...growth.values()].map((runs) =>
    median(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
  );
  const name = `with ${[...growth.keys()].at(-1)} stored against an empty database`;
  return { name, measured: stored / empty, atLeast: 0.95 };
}

/** Both databases get cold programs, which a part of the book warms up. */
async function importInto(contender: Contender, warmUp: Book, book: Book): Promise<ImportedBook> {
  await contender.stopPrograms();
  await contender.sql('CHECKPOINT');
  await contender.startPrograms(1);
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
