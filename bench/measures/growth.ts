import { statfsSync } from 'node:fs';
import type { Installation } from '../environment/installation';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS } from './book-import';
import { type Books, booksFor, type GrownImport, importBeside, store } from './grown-import';
import { inTurns, type Turn } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

/** They take long, and differ little. */
const MOST_ROUNDS = 3;

const EMPTY = 'empty';

/** Of the database, an account; and what else the servers need. */
const BYTES = { account: 5_000, other: 3e9 };

export const growth: Measure = {
  name: 'growth',
  title: 'Imports into a database that has accounts already',
  async run(bench: Bench): Promise<Findings> {
    const { servers } = bench;
    const sizes = [Math.round(bench.stored / 3), bench.stored];
    requireDisk(bench, sizes);
    const rounds = Math.min(MOST_ROUNDS, bench.rounds);
    const books = booksFor(bench, rounds);
    const installations: Installation[] = [];
    try {
      const turns = [intoEmpty(bench, books)];
      for (const size of sizes) {
        const installation = await servers.installation(servers.fasterBackend);
        installations.push(installation);
        await store(bench, installation, books, size);
        turns.push(intoStored(bench, books, installation, size));
      }
      const results = await inTurns({ rounds, say: bench.say }, turns);
      const rate = (name: string) =>
        median((results.get(name) ?? []).map(({ accountsPerSecond }) => accountsPerSecond));
      return {
        rounds,
        load:
          `${bench.accounts.toLocaleString('en')} accounts over ${CONNECTIONS} connections, one API and one worker, queue in ${servers.fasterBackend}; their numbers are strewn among those that are stored. ` +
          'What is stored was made from imported accounts: as many rows in every table, and every index; only JSON documents are empty, which no index has. Autovacuum is off in all three databases.',
        tables: [
          {
            columns: ['', 'accounts/s', 'against empty', 'POST p50 ms', 'POST p99 ms', 'PostgreSQL ms'],
            rows: [...results].map(([name, runs]) => [
              name,
              figures(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
              name === EMPTY ? '' : figure(rate(name) / rate(EMPTY)),
              figures(runs.map(({ latency }) => latency.p50)),
              figures(runs.map(({ latency }) => latency.p99)),
              figures(runs.map(({ postgres }) => postgres)),
            ]),
          },
        ],
        goals: [
          {
            what: `with ${nameOf(bench.stored)} against empty`,
            found: rate(nameOf(bench.stored)) / rate(EMPTY),
            atLeast: 0.85,
          },
        ],
      };
    } finally {
      for (const installation of installations) await installation.close();
    }
  },
};

function intoEmpty(bench: Bench, books: Books): Turn<GrownImport> {
  return turn(EMPTY, books, async (round) => {
    const installation = await bench.servers.installation(bench.servers.fasterBackend);
    try {
      return await importBeside(bench, installation, round);
    } finally {
      await installation.close();
    }
  });
}

function intoStored(bench: Bench, books: Books, installation: Installation, size: number): Turn<GrownImport> {
  return turn(nameOf(size), books, async (round) => importBeside(bench, installation, round));
}

/** Each contender imports the same book in the same round. */
function turn(
  name: string,
  { rounds }: Books,
  run: (round: Books['rounds'][number]) => Promise<GrownImport>,
): Turn<GrownImport> {
  const next = rounds.values();
  return {
    name,
    run: async () => {
      const { value } = next.next();
      if (!value) throw new Error('There is no book for another round.');
      return run(value);
    },
    tell: ({ accountsPerSecond }) => `${figure(accountsPerSecond)} accounts/s`,
  };
}

function nameOf(size: number): string {
  return `${size.toLocaleString('en')} stored`;
}

/** @throws Error where there is not enough disk for so many accounts */
function requireDisk({ servers }: Bench, sizes: readonly number[]): void {
  const needed = sizes.reduce((sum, size) => sum + size * BYTES.account, BYTES.other);
  const { bavail, bsize } = statfsSync(servers.directory);
  const free = bavail * bsize;
  if (free < needed)
    throw new Error(
      `Growth needs ${figure(needed / 1e9)} GB of disk and ${figure(free / 1e9)} GB are free. Ask for less with --stored.`,
    );
}
