import type { TestedBackend } from '@portage/testing/backends';
import { batched, portage, type Program, stock, sumOf } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { growthGoal, growthTable, measureGrowth } from './growth';
import { CONNECTIONS, type ImportedBook, importIntoEmpty, warmUpOfWorker, type Way } from './import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';

/** The stock program is slow, and its rate does not depend on the number of accounts. */
const STOCK = { maxAccounts: 2_000, maxWarmUp: 1_600 };

interface Contender {
  readonly name: string;
  readonly program: Program;
  readonly way: Way;
  readonly workers: number;
}

const CONTENDERS: readonly Contender[] = [
  ...(['posts', 'submission'] as const).flatMap((way) =>
    [1, 2, 4].map((workers) => ({ name: nameOf(way, workers), program: portage, way, workers })),
  ),
  ...[batched, stock].map((program) => ({
    name: program.name,
    program,
    way: 'posts' as const,
    workers: 1,
  })),
];

type Runs = ReadonlyMap<string, readonly ImportedBook[]>;

export const endToEnd: Measure = {
  name: 'end-to-end',
  title: 'Imports, from the first byte sent to the last created account',
  minutes: 70,
  async run(bench: Bench): Promise<Findings> {
    const { backends } = bench;
    const turns = backends.flatMap((backend) =>
      contendersOf(backend, bench).map((contender) => ({
        name: `${contender.name}, queue in ${backend}`,
        run: async () => importIntoEmpty(bench, contender.program, optionsOf(bench, contender, backend)),
        summarize: ({ accountsPerSecond }: ImportedBook) => `${formatFigure(accountsPerSecond)} accounts/s`,
      })),
    );
    const runs = await interleave(bench, turns);
    const growth = bench.stored > 0 ? await measureGrowth(bench) : undefined;
    return {
      load:
        `${bench.accounts.toLocaleString('en')} households of 5.8 KB (stock: at most ${STOCK.maxAccounts.toLocaleString('en')}) after ${warmUpOfWorker(bench).toLocaleString('en')} for each worker, ` +
        `over ${CONNECTIONS} connections to one API, or in one upload. CPU time is in ms an account. All processes share the machine.`,
      tables: [
        ...backends.map((backend) => tableOf(runs, contendersOf(backend, bench), backend)),
        ...(growth ? [growthTable(growth)] : []),
      ],
      goals: [...(backends.includes('redis') ? goals(runs) : []), ...(growth ? [growthGoal(growth)] : [])],
    };
  },
};

/** The yardsticks have their queue in Redis. */
function contendersOf(backend: TestedBackend, { isQuick }: Pick<Bench, 'isQuick'>): readonly Contender[] {
  return CONTENDERS.filter(
    ({ program, workers }) => (backend === 'redis' || program === portage) && !(isQuick && workers === 2),
  );
}

function nameOf(way: Way, workers: number): string {
  return `${way === 'posts' ? 'single POSTs' : 'submission'}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
}

function optionsOf(bench: Bench, { program, way, workers }: Contender, backend: TestedBackend) {
  const isStock = program === stock;
  return {
    backend,
    way,
    workers,
    accounts: isStock ? Math.min(STOCK.maxAccounts, bench.accounts) : bench.accounts,
    warmUpOfWorker: isStock ? Math.min(STOCK.maxWarmUp, warmUpOfWorker(bench)) : warmUpOfWorker(bench),
  };
}

function tableOf(runs: Runs, contenders: readonly Contender[], backend: TestedBackend): Table {
  return {
    caption: `Queue in ${backend}`,
    columns: [
      '',
      'accounts/s',
      'CPU',
      'API',
      'workers',
      'PostgreSQL',
      'Redis',
      'bytes of write-ahead log',
      'POST p50 ms',
    ],
    rows: contenders.map(({ name }) => {
      const own = runs.get(`${name}, queue in ${backend}`) ?? [];
      const posts = own.flatMap((run) => run.posts?.latency.p50 ?? []);
      return [
        name,
        formatFigures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
        formatFigures(own.map(({ times }) => sumOf(times))),
        ...(['api', 'worker', 'postgres', 'redis'] as const).map((part) =>
          formatFigure(median(own.map(({ times }) => times[part]))),
        ),
        formatFigure(median(own.map(({ logBytes }) => logBytes))),
        posts.length === 0 ? '' : formatFigure(median(posts)),
      ];
    }),
  };
}

function goals(runs: Runs): Goal[] {
  const own = (name: string, backend: TestedBackend) => runs.get(`${name}, queue in ${backend}`) ?? [];
  const rate = (name: string, backend: TestedBackend = 'redis') =>
    median(own(name, backend).map(({ accountsPerSecond }) => accountsPerSecond));
  const time = (name: string, backend: TestedBackend = 'redis') =>
    median(own(name, backend).map(({ times }) => sumOf(times)));
  const posts = nameOf('posts', 1);
  const submission = nameOf('submission', 1);
  return [
    { name: posts, measured: rate(posts), atLeast: 1_000, unit: 'accounts/s' },
    { name: 'single POSTs against stock', measured: rate(posts) / rate('stock'), atLeast: 5 },
    { name: 'single POSTs against batched', measured: rate(posts) / rate('batched'), atLeast: 1 },
    { name: 'submission against batched', measured: rate(submission) / rate('batched'), atLeast: 1.5 },
    {
      name: 'CPU time of a submission against batched',
      measured: time(submission) / time('batched'),
      atMost: 0.7,
    },
    ...(['posts', 'submission'] as const).map((way) => ({
      name: `${way}, queue in PostgreSQL against Redis`,
      measured: rate(nameOf(way, 1), 'postgres') / rate(nameOf(way, 1)),
      atLeast: 0.85,
    })),
    ...(['redis', 'postgres'] as const).flatMap((backend) =>
      (['posts', 'submission'] as const).flatMap((way): Goal[] => {
        const [one, four] = [nameOf(way, 1), nameOf(way, 4)];
        const name = `${way} on ${backend}, 4 workers against 1`;
        return [
          { name: `${name}: accounts/s`, measured: rate(four, backend) / rate(one, backend), atLeast: 0.95 },
          { name: `${name}: CPU time`, measured: time(four, backend) / time(one, backend), atMost: 1.1 },
        ];
      }),
    ),
  ];
}
