import type { Installation } from '../environment/installation';
import { requireDisk } from '../environment/require-disk';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS } from './book-import';
import {
  type Books,
  createBooks,
  type GrowthResult,
  importIntoExisting,
  storeAccounts,
} from './grown-import';
import { interleave, type Turn } from './interleave';
import type { Bench, Findings, Measure } from './measure';

/** The rounds take long and vary little. */
const MAX_ROUNDS = 3;

const EMPTY = 'empty';

/** Disk space per stored account, and for everything else. */
const DISK_BYTES = { perAccount: 5_000, other: 3e9 };

export const growth: Measure = {
  name: 'growth',
  title: 'Imports into a database with existing accounts',
  async run(bench: Bench): Promise<Findings> {
    const { servers } = bench;
    const sizes = [Math.round(bench.stored / 3), bench.stored];
    requireDisk(
      servers,
      'growth',
      sizes.reduce((sum, size) => sum + size * DISK_BYTES.perAccount, DISK_BYTES.other),
    );
    const rounds = Math.min(MAX_ROUNDS, bench.rounds);
    const books = createBooks(bench, rounds);
    const installations: Installation[] = [];
    try {
      const turns = [intoEmpty(bench, books)];
      for (const size of sizes) {
        const installation = await servers.installation(servers.fasterBackend);
        installations.push(installation);
        await storeAccounts(bench, installation, books, size);
        turns.push(intoStored(bench, books, installation, size));
      }
      const results = await interleave({ rounds, log: bench.log }, turns);
      const rate = (name: string) =>
        median((results.get(name) ?? []).map(({ accountsPerSecond }) => accountsPerSecond));
      return {
        rounds,
        load:
          `${bench.accounts.toLocaleString('en')} accounts over ${CONNECTIONS} connections, one API and one worker, queue in ${servers.fasterBackend}; their numbers are spread randomly among the stored ones. ` +
          'The stored accounts are copies of imported accounts with all rows and indexes; only the JSON columns, which have no index, are empty. Autovacuum is off in all three databases.',
        tables: [
          {
            columns: ['', 'accounts/s', 'ratio to empty', 'POST p50 ms', 'POST p99 ms', 'PostgreSQL ms'],
            rows: [...results].map(([name, runs]) => [
              name,
              formatFigures(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
              name === EMPTY ? '' : formatFigure(rate(name) / rate(EMPTY)),
              formatFigures(runs.map(({ latency }) => latency.p50)),
              formatFigures(runs.map(({ latency }) => latency.p99)),
              formatFigures(runs.map(({ postgres }) => postgres)),
            ]),
          },
        ],
        goals: [
          {
            name: `with ${nameOf(bench.stored)} against empty`,
            measured: rate(nameOf(bench.stored)) / rate(EMPTY),
            atLeast: 0.95,
          },
        ],
      };
    } finally {
      for (const installation of installations) await installation.close();
    }
  },
};

function intoEmpty(bench: Bench, books: Books): Turn<GrowthResult> {
  return turn(EMPTY, books, async (round) => {
    const installation = await bench.servers.installation(bench.servers.fasterBackend);
    try {
      return await importIntoExisting(bench, installation, round);
    } finally {
      await installation.close();
    }
  });
}

function intoStored(
  bench: Bench,
  books: Books,
  installation: Installation,
  size: number,
): Turn<GrowthResult> {
  return turn(nameOf(size), books, async (round) => importIntoExisting(bench, installation, round));
}

/** All contenders import the same book in the same round. */
function turn(
  name: string,
  { rounds }: Books,
  run: (round: Books['rounds'][number]) => Promise<GrowthResult>,
): Turn<GrowthResult> {
  const next = rounds.values();
  return {
    name,
    run: async () => {
      const { value } = next.next();
      if (!value) throw new Error('No book is left for another round.');
      return run(value);
    },
    summarize: ({ accountsPerSecond }) => `${formatFigure(accountsPerSecond)} accounts/s`,
  };
}

function nameOf(size: number): string {
  return `${size.toLocaleString('en')} stored`;
}
