import { createHash } from 'node:crypto';
import { type Book, BookSource } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import { requireDisk } from '../environment/require-disk';
import { SUPPLIER } from '../environment/servers';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { StoredAccounts } from '../stored/accounts';
import { importBook, type ImportedBook, postBook } from './import';
import { interleave } from './interleave';
import type { Bench, Goal, Table } from './measure';

/** The rounds take long and vary little. */
const MAX_ROUNDS = 3;

/** Disk space per stored account, and for everything else. */
const DISK_BYTES = { perAccount: 5_000, other: 3e9 };

/** Number of accounts that Portage imports and that are copied then. */
const SEEDS = { accounts: 1_000, whenQuick: 100 };

/** The imports by the number of stored accounts. */
type Growth = ReadonlyMap<string, readonly ImportedBook[]>;

/** The book of a round, the same one for all databases. */
interface Round {
  readonly warmUp: Book;
  readonly book: Book;
}

/** Imports into an empty database and into ones with many accounts, the copies of accounts that Portage has imported. */
export async function measureGrowth(bench: Bench): Promise<Growth> {
  const sizes = [Math.round(bench.stored / 3), bench.stored];
  const bytes = sizes.reduce((sum, size) => sum + size * DISK_BYTES.perAccount, DISK_BYTES.other);
  requireDisk(bench.servers, 'end-to-end', bytes);
  const source = new BookSource(SUPPLIER);
  const next = (count: number) => withScatteredNumbers(source.next(count));
  const seeds = next(bench.isQuick ? SEEDS.whenQuick : SEEDS.accounts);
  const rounds = Array.from({ length: Math.min(MAX_ROUNDS, bench.rounds) }, () => ({
    ...{ warmUp: next(Math.ceil(bench.accounts / 10)), book: next(bench.accounts) },
  }));
  const installations: Installation[] = [];
  try {
    const turns = [turn('0', rounds, async (round) => importIntoNew(bench, round))];
    for (const size of sizes) {
      const installation = await bench.servers.installation(bench.servers.fasterBackend);
      installations.push(installation);
      await storeAccounts(bench, installation, seeds, size);
      turns.push(
        turn(size.toLocaleString('en'), rounds, async (round) =>
          importIntoExisting(bench, installation, round),
        ),
      );
    }
    return await interleave({ rounds: rounds.length, log: bench.log }, turns);
  } finally {
    for (const installation of installations) await installation.close();
  }
}

export function growthTable(growth: Growth): Table {
  return {
    caption:
      'Single POSTs into databases with stored accounts. The stored accounts have all rows and indexes of imported ones, but empty JSON columns',
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

/** Imports a few accounts and copies them up to the given number. */
async function storeAccounts(
  bench: Bench,
  installation: Installation,
  seeds: Book,
  size: number,
): Promise<void> {
  const running = await installation.start(portage, 1);
  await postBook(running, seeds);
  await installation.allProcessed(seeds.payloads.length);
  await running.stop();
  const stored = await StoredAccounts.from(installation);
  await stored.add(size - seeds.payloads.length, bench.log);
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
