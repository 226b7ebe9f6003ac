import { type Book, BookSource } from '../book';
import type { Backend, Installation } from '../environment/installation';
import { portage, portageOf, type Program } from '../environment/program';
import { countWrittenRows } from '../environment/row-counts';
import type { Revision } from '../environment/revision';
import { type RunningProgram, sumOf } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { importBook, type ImportedBook, postBook, warmUp, warmUpOfWorker, type Way } from './import';
import type { Bench, Findings, Table } from './measure';
import { CONNECTIONS as TRANSACTION_CONNECTIONS, TransactionsLoad, turnSeconds } from './transactions-load';

/** What one turn of a build has measured, by the name of the figure. */
type Figures = Readonly<Record<string, number>>;

/** The goal of a figure. A ratio is that of the new build to the old one. */
type Limit = { readonly atLeast: number } | { readonly atMost: number };

interface Part {
  readonly name: string;
  readonly backend: Backend;
  readonly workers: number;
  /** Minutes of a round. */
  readonly minutes: number;
  /** The number of accounts of a turn, the same ones for both builds. */
  accounts(bench: Bench): number;
  run(bench: Bench, build: Build, book: Book): Promise<Figures>;
  /** The figures in the order of the table. */
  readonly figures: Readonly<Record<string, { ratio: Limit; absolute?: Limit }>>;
}

/** A build of the service that runs on its own database and queue. */
interface Build {
  readonly side: 'old' | 'new';
  readonly installation: Installation;
  readonly running: RunningProgram;
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
  [CPU]: { ratio: { atMost: 1 } },
  'CPU ms of the API': { ratio: { atMost: 1 } },
  'CPU ms of the worker': { ratio: { atMost: 1 } },
  'CPU ms of PostgreSQL': { ratio: { atMost: 1 } },
} as const;

const importFigures = {
  [RATE]: { ratio: { atLeast: 1 }, absolute: { atLeast: 1_000 } },
  ...cpuFigures,
  'bytes of write-ahead log an account': { ratio: { atMost: 0.67 } },
} as const;

/** Parts with the same backend and number of workers follow each other, because they share the running builds. */
const PARTS: readonly Part[] = [
  {
    name: 'posts',
    backend: 'redis',
    workers: 1,
    minutes: 0.5,
    figures: importFigures,
    accounts: (bench) => bench.accounts,
    run: async (_bench, build, book) => importTurn(build, 'posts', book),
  },
  {
    name: 'submission',
    backend: 'redis',
    workers: 1,
    minutes: 0.5,
    figures: importFigures,
    accounts: (bench) => bench.accounts,
    run: async (_bench, build, book) => importTurn(build, 'submission', book),
  },
  {
    name: 'lone-post',
    backend: 'redis',
    workers: 1,
    minutes: 0.5,
    figures: { 'p50 ms of a POST, one connection': { ratio: { atMost: 1 } } },
    accounts: ({ isQuick }) => (isQuick ? LONE_POSTS_QUICK : LONE_POSTS),
    run: async (_bench, { installation, running }, book) => {
      const { latency } = await postBook(running, book, 1);
      await installation.allFinished();
      return { 'p50 ms of a POST, one connection': latency.p50 };
    },
  },
  {
    name: 'transaction',
    backend: 'redis',
    workers: 1,
    minutes: 0.5,
    figures: {
      [`p50 ms of one transaction, ${TRANSACTION_CONNECTIONS} connections`]: {
        ratio: { atMost: 1 },
        absolute: { atMost: 12 },
      },
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
    minutes: 0.5,
    figures: { 'requests/s with 1,000 transactions': { ratio: { atLeast: 1 } } },
    accounts: () => 0,
    run: async (bench, build) => {
      const { requestsPerSecond } = await (await transactionsOf(bench, build)).run(1_000, turnSeconds(bench));
      return { 'requests/s with 1,000 transactions': requestsPerSecond };
    },
  },
  {
    name: 'posts-postgres',
    backend: 'postgres',
    workers: 1,
    minutes: 0.7,
    figures: { [RATE]: { ratio: { atLeast: 1 } }, ...cpuFigures },
    accounts: (bench) => bench.accounts,
    run: async (_bench, build, book) => importTurn(build, 'posts', book),
  },
  {
    name: 'workers-postgres',
    backend: 'postgres',
    workers: 4,
    minutes: 0.8,
    figures: { [RATE]: { ratio: { atLeast: 1 } }, ...cpuFigures },
    accounts: (bench) => bench.accounts,
    run: async (_bench, build, book) => importTurn(build, 'posts', book),
  },
];

export const AGAINST_PARTS: readonly { name: string; minutes: number }[] = PARTS;

/** Compares this checkout with another build of the service, which runs on the same servers at the same time. */
export async function compareWith(
  bench: Bench,
  revision: Revision,
  requested: ReadonlySet<string>,
): Promise<Findings> {
  const parts = PARTS.filter(
    ({ name, backend }) => requested.has(name) && bench.servers.backends.includes(backend),
  );
  const results = new Map<string, Pairs>();
  for (const backend of bench.servers.backends) {
    const own = parts.filter((part) => part.backend === backend);
    if (own.length > 0) await runParts(bench, revision, backend, own, results);
  }
  return {
    load:
      `Old is ${revision.name}, new is this checkout; ${bench.accounts.toLocaleString('en')} accounts in a turn, in the order old, new, new, old. ` +
      'Both are warm and have a database of their own with the same accounts. ' +
      'The ratio of new to old is the median of turns that followed each other.',
    tables: parts.map((part) => table(part, results)),
    goals: [],
  };
}

/** Runs the parts of one backend. Workers are added between parts, so that the database is that of all of them. */
async function runParts(
  bench: Bench,
  revision: Revision,
  backend: Backend,
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
        builds.push(await startBuild(start, 'old', portageOf('old', revision.checkout)));
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
              await settle(bench, build);
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
    for (const { installation } of builds) await installation.close();
  }
}

/** Starts a build on an empty database, and imports the accounts that warm it up. */
async function startBuild(
  { bench, backend, workers, book }: { bench: Bench; backend: Backend; workers: number; book: Book },
  side: Build['side'],
  program: Program,
): Promise<Build> {
  bench.log(`warming up the ${side} build, queue in ${backend}, workers: ${workers}`);
  const { servers } = bench;
  const redis = side === 'old' && backend === 'redis' ? await servers.startRedis() : servers.redis;
  const installation = await servers.installation(backend, program.checkout, redis);
  try {
    const running = await installation.start(program, workers);
    await warmUp(installation, running, book, true);
    return { side, installation, running, accounts: book.payloads.length, transactions: undefined };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

async function addWorkers(bench: Bench, build: Build, workers: number, book: Book): Promise<void> {
  bench.log(`warming up the ${build.side} build, workers: ${workers}`);
  await build.running.startWorkers(workers - build.running.workerCount);
  await postBook(build.running, book);
  await requireProcessed(build, book);
}

/** @throws Error unless all accounts that the build has got were imported */
async function requireProcessed(build: Build, book: Book): Promise<void> {
  build.accounts += book.payloads.length;
  await build.installation.allProcessed(build.accounts);
}

/** A build that writes other rows for the same accounts is compared too, but the reader has to know. */
async function warnOfOtherRows(bench: Bench, builds: readonly Build[]): Promise<void> {
  const [before = {}, after = {}] = await Promise.all(
    builds.map(async ({ installation }) => countWrittenRows(installation)),
  );
  for (const [name, count] of Object.entries(before))
    if (after[name] !== count)
      bench.log(`WARNING: ${name} has ${count} rows in old and ${after[name]} in new.`);
}

/** Does the housekeeping of the database before the turn, because autovacuum is off. */
async function settle({ servers }: Bench, { installation }: Build): Promise<void> {
  await installation.sql('VACUUM (ANALYZE)');
  await servers.checkpoint();
}

async function transactionsOf(bench: Bench, build: Build): Promise<TransactionsLoad> {
  if (!build.transactions) {
    build.transactions = await TransactionsLoad.forStoredAccounts(build.installation, build.running);
    for (const size of [1, 1_000]) await build.transactions.run(size, turnSeconds(bench));
  }
  return build.transactions;
}

let submissions = 0;

async function importTurn({ installation, running }: Build, way: Way, book: Book): Promise<Figures> {
  return figuresOf(await importBook(installation, running, way, book, `turn-${(submissions += 1)}`));
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
  const rows = Object.entries(part.figures).map(([figure, { ratio, absolute }]) => {
    const of = (side: Build['side']) => pairs.map((pair) => pair[side][figure] ?? NaN);
    const ratios = of('new').map((value, nth) => value / (of('old')[nth] ?? NaN));
    return [
      figure,
      formatFigures(of('old')),
      formatFigures(of('new')),
      formatFigures(ratios),
      goalText(median(ratios), ratio, ' of old'),
      absolute ? goalText(median(of('new')), absolute, '') : '',
    ];
  });
  return {
    caption: `${part.name}, queue in ${part.backend}, ${part.workers === 1 ? 'one worker' : `${part.workers} workers`}`,
    columns: ['', 'old', 'new', 'ratio', 'goal of the ratio', 'goal of new'],
    rows: [...rows, ...shareRows(part.name, results)],
  };
}

/** Figures of the queue in PostgreSQL that compare parts of the same build. */
function shareRows(name: string, results: ReadonlyMap<string, Pairs>): string[][] {
  const row = (label: string, figure: string, over: string, limit: Limit) => {
    const share = (side: Build['side']) => {
      const of = (part: string) => (results.get(part) ?? []).map((pair) => pair[side][figure] ?? NaN);
      return of(name).length > 0 && of(over).length > 0 ? median(of(name)) / median(of(over)) : NaN;
    };
    const [old, current] = [share('old'), share('new')];
    return [
      label,
      formatFigure(old),
      formatFigure(current),
      formatFigure(current / old),
      '',
      goalText(current, limit, ''),
    ];
  };
  if (name === 'posts-postgres') return [row('accounts/s against Redis', RATE, 'posts', { atLeast: 0.85 })];
  if (name !== 'workers-postgres') return [];
  return [
    row('accounts/s against 1 worker', RATE, 'posts-postgres', { atLeast: 0.95 }),
    row('CPU ms against 1 worker', CPU, 'posts-postgres', { atMost: 1.1 }),
  ];
}

function goalText(value: number, limit: Limit, suffix: string): string {
  const isMet = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
  const target =
    'atLeast' in limit ? `at least ${formatFigure(limit.atLeast)}` : `at most ${formatFigure(limit.atMost)}`;
  return `${target}${suffix}: ${Number.isNaN(value) ? 'unknown' : isMet ? 'met' : 'missed'}`;
}
