import { type Book, BookSource } from '../book';
import { basename } from 'node:path';
import type { TestedBackend } from '@portage/testing/backends';
import { Contender, portage, type Program, sumOf, SUPPLIER } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { countWrittenRows } from '../row-counts';
import { median } from '../statistics';
import { importBook, type ImportedBook, postBook, warmUp, warmUpOfWorker, type Way } from './import';
import type { Bench, Findings, Table } from './measure';
import { CONNECTIONS as TRANSACTION_CONNECTIONS, TransactionsLoad, turnSeconds } from './transactions-load';

/** What one turn of a build has measured, by the name of the figure. */
type Figures = Readonly<Record<string, number>>;

/** The goal of a ratio of the new build to the old one. */
type Limit = { readonly atLeast: number } | { readonly atMost: number };

interface Part {
  readonly name: string;
  readonly backend: TestedBackend;
  readonly workers: number;
  /** The number of accounts of a turn, the same ones for both builds. */
  accounts(bench: Bench): number;
  run(bench: Bench, build: Build, book: Book): Promise<Figures>;
  /** The figures in the order of the table, with the goals of their ratios. */
  readonly figures: Readonly<Record<string, Limit>>;
}

/** A build of the service that runs on its own database and queue. */
interface Build {
  readonly side: 'old' | 'new';
  readonly contender: Contender;
  /** The number of accounts in its database. */
  accounts: number;
  /** Created and warmed up by the first turn that adds transactions. */
  transactions: TransactionsLoad | undefined;
}

/** The results of a part: each pair are two turns that followed each other. */
type Pairs = readonly { readonly old: Figures; readonly new: Figures }[];

const LONE_POSTS = 300;
const LONE_POSTS_QUICK = 20;

const RATE = 'accounts/s';
const CPU = 'CPU ms an account';

const cpuFigures = {
  [CPU]: { atMost: 1 },
  'CPU ms of the API': { atMost: 1 },
  'CPU ms of the worker': { atMost: 1 },
  'CPU ms of PostgreSQL': { atMost: 1 },
} as const;

const importFigures = {
  [RATE]: { atLeast: 1 },
  ...cpuFigures,
  'bytes of write-ahead log an account': { atMost: 0.67 },
} as const;

/** Imports the accounts of the book. */
const importing = (way: Way, part: Omit<Part, 'accounts' | 'run'>): Part => ({
  ...part,
  accounts: (bench) => bench.accounts,
  run: async (_bench, build, book) => importTurn(build, way, book),
});

/** Parts with the same backend and number of workers follow each other, because they share the running builds. */
const PARTS: readonly Part[] = [
  importing('posts', { name: 'posts', backend: 'redis', workers: 1, figures: importFigures }),
  importing('submission', { name: 'submission', backend: 'redis', workers: 1, figures: importFigures }),
  {
    name: 'lone-post',
    backend: 'redis',
    workers: 1,
    figures: { 'p50 ms of a POST': { atMost: 1 } },
    accounts: ({ isQuick }) => (isQuick ? LONE_POSTS_QUICK : LONE_POSTS),
    run: async (_bench, { contender }, { payloads, ...book }) => {
      const milliseconds: number[] = [];
      for (const payload of payloads) {
        const { latency } = await postBook(contender, { ...book, payloads: [payload] }, 1);
        milliseconds.push(latency.p50);
        // No import runs beside the next request.
        await contender.allFinished();
      }
      return { 'p50 ms of a POST': median(milliseconds) };
    },
  },
  {
    name: 'transaction',
    backend: 'redis',
    workers: 1,
    figures: {
      [`p50 ms of one transaction, ${TRANSACTION_CONNECTIONS} connections`]: { atMost: 1 },
    },
    accounts: () => 0,
    run: async (bench, build) => {
      const { p50 } = await (await transactionsOf(bench, build)).run(1, turnSeconds(bench));
      return { [`p50 ms of one transaction, ${TRANSACTION_CONNECTIONS} connections`]: p50 };
    },
  },
  {
    name: 'transactions',
    backend: 'redis',
    workers: 1,
    figures: { 'requests/s with 1,000 transactions': { atLeast: 1 } },
    accounts: () => 0,
    run: async (bench, build) => {
      const { requestsPerSecond } = await (await transactionsOf(bench, build)).run(1_000, turnSeconds(bench));
      return { 'requests/s with 1,000 transactions': requestsPerSecond };
    },
  },
  importing('posts', {
    name: 'posts-postgres',
    backend: 'postgres',
    workers: 1,
    figures: { [RATE]: { atLeast: 1 }, ...cpuFigures },
  }),
  importing('posts', {
    name: 'workers-postgres',
    backend: 'postgres',
    workers: 4,
    figures: { [RATE]: { atLeast: 1 }, ...cpuFigures },
  }),
];

export const AGAINST_PARTS = PARTS.map(({ name }) => name);

/** Compares this checkout with another build of the service, which runs on the same servers at the same time. */
export async function compareWith(
  bench: Bench,
  checkout: string,
  requested: ReadonlySet<string>,
): Promise<Findings> {
  const parts = PARTS.filter(({ name, backend }) => requested.has(name) && bench.backends.includes(backend));
  const results = new Map<string, Pairs>();
  for (const backend of bench.backends) {
    const own = parts.filter((part) => part.backend === backend);
    if (own.length > 0) await runParts(bench, checkout, backend, own, results);
  }
  return {
    load:
      `Old is ${basename(checkout)}, new is this checkout; ${bench.accounts.toLocaleString('en')} accounts in a turn, in the order old, new, new, old. ` +
      'Both are warm and have servers of their own with the same accounts. ' +
      'The ratio of new to old is the median of turns that followed each other.',
    tables: parts.map((part) => table(part, results)),
    goals: [],
  };
}

/** Runs the parts of one backend. Workers are added between parts, so that the database is that of all of them. */
async function runParts(
  bench: Bench,
  checkout: string,
  backend: TestedBackend,
  parts: readonly Part[],
  results: Map<string, Pairs>,
): Promise<void> {
  const builds: Build[] = [];
  const source = new BookSource(SUPPLIER);
  try {
    for (const workers of new Set(parts.map((part) => part.workers))) {
      const book = source.next(workers * warmUpOfWorker(bench));
      if (builds.length === 0) {
        const start = { bench, backend, workers, book };
        builds.push(await startBuild(start, 'old', { name: 'old', checkout }));
        builds.push(await startBuild(start, 'new', { ...portage, name: 'new' }));
        await warnOfOtherRows(bench, builds);
      } else {
        for (const build of builds) await addWorkers(bench, build, workers, book);
      }
      const [old, current] = builds as [Build, Build];
      const own = parts.filter((part) => part.workers === workers);
      const pairs = new Map(own.map(({ name }) => [name, [] as { old: Figures; new: Figures }[]]));
      for (let round = 1; round <= bench.rounds; round += 1)
        for (const part of own)
          for (const order of [
            [old, current],
            [current, old],
          ]) {
            const accounts = source.next(part.accounts(bench));
            const measured: Partial<Record<Build['side'], Figures>> = {};
            for (const build of order) {
              await settle(build);
              const figures = await part.run(bench, build, accounts);
              await requireProcessed(build, accounts);
              measured[build.side] = figures;
              const [[figure, value] = ['', NaN]] = Object.entries(figures);
              bench.log(
                `round ${round} of ${bench.rounds}: ${part.name}, ${build.side}: ${formatFigure(value)} ${figure}`,
              );
            }
            pairs.get(part.name)?.push(measured as { old: Figures; new: Figures });
          }
      for (const [name, ofPart] of pairs) results.set(name, ofPart);
    }
  } finally {
    for (const { contender } of builds) await contender.stop();
  }
}

/** Starts a build on an empty database, and imports the accounts that warm it up. */
async function startBuild(
  { bench, backend, workers, book }: { bench: Bench; backend: TestedBackend; workers: number; book: Book },
  side: Build['side'],
  program: Program,
): Promise<Build> {
  bench.log(`warming up the ${side} build, queue in ${backend}, workers: ${workers}`);
  // Autovacuum would count for the build whose turn it is. The tables are vacuumed between turns.
  const contender = await Contender.start(program, { backend, workers, autovacuum: 'off' });
  await warmUp(contender, book);
  return { side, contender, accounts: book.payloads.length, transactions: undefined };
}

async function addWorkers(bench: Bench, build: Build, workers: number, book: Book): Promise<void> {
  bench.log(`warming up the ${build.side} build, workers: ${workers}`);
  await build.contender.addWorkers(workers - build.contender.workerCount);
  await postBook(build.contender, book);
  await requireProcessed(build, book);
}

/** @throws Error unless all accounts that the build has got were imported */
async function requireProcessed(build: Build, book: Book): Promise<void> {
  build.accounts += book.payloads.length;
  await build.contender.allProcessed(build.accounts);
}

/** A build that writes other rows for the same accounts is compared too, but the reader has to know. */
async function warnOfOtherRows(bench: Bench, builds: readonly Build[]): Promise<void> {
  const [before = {}, after = {}] = await Promise.all(
    builds.map(async ({ contender }) => countWrittenRows(contender)),
  );
  for (const [name, count] of Object.entries(before))
    if (after[name] !== count)
      bench.log(`WARNING: ${name} has ${count} rows in old and ${after[name]} in new.`);
}

/** Does the housekeeping of the database before the turn, because autovacuum is off. */
async function settle({ contender }: Build): Promise<void> {
  await contender.sql('VACUUM (ANALYZE)');
  await contender.sql('CHECKPOINT');
}

async function transactionsOf(bench: Bench, build: Build): Promise<TransactionsLoad> {
  if (!build.transactions) {
    build.transactions = await TransactionsLoad.forStoredAccounts(build.contender);
    for (const size of [1, 1_000]) await build.transactions.run(size, turnSeconds(bench));
  }
  return build.transactions;
}

let submissions = 0;

async function importTurn({ contender }: Build, way: Way, book: Book): Promise<Figures> {
  return figuresOf(await importBook(contender, way, book, `turn-${(submissions += 1)}`));
}

function figuresOf({ accountsPerSecond, times, logBytes }: ImportedBook): Figures {
  return {
    [RATE]: accountsPerSecond,
    [CPU]: sumOf(times),
    'CPU ms of the API': times.api,
    'CPU ms of the worker': times.worker,
    'CPU ms of PostgreSQL': times.postgres,
    'bytes of write-ahead log an account': logBytes,
  };
}

function table(part: Part, results: ReadonlyMap<string, Pairs>): Table {
  const pairs = results.get(part.name) ?? [];
  const rows = Object.entries(part.figures).map(([figure, limit]) => {
    const of = (side: Build['side']) => pairs.map((pair) => pair[side][figure] ?? NaN);
    const ratios = of('new').map((value, nth) => value / (of('old')[nth] ?? NaN));
    return [
      figure,
      formatFigures(of('old')),
      formatFigures(of('new')),
      formatFigures(ratios),
      goalText(median(ratios), limit),
    ];
  });
  return {
    caption: `${part.name}, queue in ${part.backend}, ${part.workers === 1 ? 'one worker' : `${part.workers} workers`}`,
    columns: ['', 'old', 'new', 'ratio', 'goal of the ratio'],
    rows,
  };
}

function goalText(value: number, limit: Limit): string {
  const isMet = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
  const target =
    'atLeast' in limit ? `at least ${formatFigure(limit.atLeast)}` : `at most ${formatFigure(limit.atMost)}`;
  return `${target} of old: ${Number.isNaN(value) ? 'unknown' : isMet ? 'met' : 'missed'}`;
}
