import type { Backend } from '../environment/installation';
import { batched, portage, type Program, stock, straight } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import {
  CONNECTIONS,
  describeLoad,
  importBook,
  type ImportedBook,
  createLoad,
  sliceOfBook,
  WARM_UP_OF_WORKER,
  type Way,
} from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';

const PROGRAMS = [portage, straight, batched, stock];

/** The stock program is slow, and its rate does not depend on the number of accounts. */
const MAX_STOCK_ACCOUNTS = 2_000;

/** Portage's rows: a book of single POSTs, and the same book as one submission. */
const SUBMISSION = 'Portage, submission';

const CONTENDERS: readonly { name: string; program: Program; way: Way }[] = [
  ...PROGRAMS.map((program) => ({ name: program.name, program, way: 'posts' as const })),
  { name: SUBMISSION, program: portage, way: 'submission' },
];

type Runs = ReadonlyMap<string, ImportedBook[]>;
type Named = Pick<Program, 'name'>;

export const endToEnd: Measure = {
  name: 'end-to-end',
  title: 'Imports of a book, from the first POST to the last created account',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts, 1, bench.isQuick ? undefined : WARM_UP_OF_WORKER);
    const fewer = {
      ...createLoad(bench.accounts),
      book: sliceOfBook(load.book, 0, Math.min(1, MAX_STOCK_ACCOUNTS / bench.accounts)),
    };
    const { backends } = bench.servers;
    const turns = backends.flatMap((backend) =>
      CONTENDERS.map(({ name, program, way }) => ({
        name: nameOf({ name }, backend),
        run: async () => importBook(bench, program, { backend, way, load: program === stock ? fewer : load }),
        summarize: ({ accountsPerSecond }: ImportedBook) => `${formatFigure(accountsPerSecond)} accounts/s`,
      })),
    );
    const runs = await interleave(bench, turns);
    const stockShare =
      fewer.book.payloads.length < bench.accounts
        ? `; stock only ${fewer.book.payloads.length}, after ${fewer.warmUp.payloads.length}`
        : '';
    return {
      load: `${describeLoad(load)}${stockShare}, over ${CONNECTIONS} connections, one API and one worker.`,
      tables: backends.flatMap((backend) => [
        rates(runs, backend),
        processorTimes(runs, backend),
        storedBytes(runs, backend),
      ]),
      goals: goals(runs, backends),
    };
  },
};

function nameOf({ name }: Named, backend: Backend): string {
  return `${name} on ${backend}`;
}

function rates(runs: Runs, backend: Backend): Table {
  const portageRate = rateOf(runs, portage, backend);
  return {
    caption: `Queue in ${backend}; POST latency while the worker is importing`,
    columns: ['', 'accounts/s', 'ratio of Portage to it', 'POST p50 ms', 'POST p99 ms'],
    rows: CONTENDERS.map((contender) => {
      const own = runs.get(nameOf(contender, backend)) ?? [];
      const latencies = own.flatMap(({ posts }) => posts?.latency ?? []);
      return [
        contender.name,
        formatFigures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
        contender.name === portage.name ? '' : formatFigure(portageRate / rateOf(runs, contender, backend)),
        ...(latencies.length === 0
          ? ['', '']
          : [formatFigures(latencies.map(({ p50 }) => p50)), formatFigures(latencies.map(({ p99 }) => p99))]),
      ];
    }),
  };
}

function processorTimes(runs: Runs, backend: Backend): Table {
  return {
    caption: `CPU time per account in ms, queue in ${backend}; the sum excludes the load generator`,
    columns: ['', 'API', 'worker', 'PostgreSQL', 'Redis', 'sum', 'load generator'],
    rows: CONTENDERS.map((contender) => {
      const own = (runs.get(nameOf(contender, backend)) ?? []).map(({ times }) => times);
      return [
        contender.name,
        ...(['api', 'worker', 'postgres', 'redis'] as const).map((part) =>
          formatFigure(median(own.map((times) => times[part]))),
        ),
        formatFigures(own.map(sum)),
        formatFigure(median(own.map(({ load }) => load))),
      ];
    }),
  };
}

function storedBytes(runs: Runs, backend: Backend): Table {
  return {
    caption: `Bytes an account, queue in ${backend}: of the write-ahead log, and of all tables of Portage with their indexes. The log has whole pages after the checkpoint before each run, and holds the queue if it is in PostgreSQL`,
    columns: ['', 'log', 'tables', 'accounts of a job'],
    rows: CONTENDERS.map((contender) => {
      const own = runs.get(nameOf(contender, backend)) ?? [];
      return [
        contender.name,
        formatFigures(own.map(({ bytes }) => bytes.log)),
        formatFigures(own.map(({ bytes }) => bytes.tables)),
        formatFigures(own.map(({ accountsPerJob }) => accountsPerJob)),
      ];
    }),
  };
}

function goals(runs: Runs, backends: readonly Backend[]): Goal[] {
  if (!backends.includes('redis')) return [];
  const rate = (contender: Named) => rateOf(runs, contender, 'redis');
  const time = (program: Named) =>
    median((runs.get(nameOf(program, 'redis')) ?? []).map(({ times }) => sum(times)));
  return [
    { name: 'against stock', measured: rate(portage) / rate(stock), atLeast: 5 },
    { name: 'against straight', measured: rate(portage) / rate(straight), atLeast: 1.3 },
    {
      name: 'against batched',
      measured: rate(portage) / rate(batched),
      atLeast: 1,
      missReason:
        'features that batched does not have: tokens, lookups of stored accounts, attempt counters, the log, request hooks.',
    },
    { name: 'CPU time against straight', measured: time(portage) / time(straight), atMost: 0.75 },
    {
      name: 'all processes on two cores',
      measured: rate(portage),
      atLeast: 1_000,
      unit: 'accounts/s',
      missReason:
        'CPU time, about a third each of API, worker and PostgreSQL. `batched` shows the rate of these cores without the features.',
    },
    {
      name: 'queue in PostgreSQL against Redis',
      measured: rateOf(runs, portage, 'postgres') / rate(portage),
      atLeast: 0.85,
    },
    {
      name: 'submission against single POSTs of batched',
      measured: rate({ name: SUBMISSION }) / rate(batched),
      atLeast: 1.5,
    },
    {
      name: 'CPU time of a submission against batched',
      measured: time({ name: SUBMISSION }) / time(batched),
      atMost: 0.7,
    },
  ];
}

function rateOf(runs: Runs, program: Named, backend: Backend): number {
  return median((runs.get(nameOf(program, backend)) ?? []).map(({ accountsPerSecond }) => accountsPerSecond));
}

function sum({ api, worker, postgres, redis }: ImportedBook['times']): number {
  return api + worker + postgres + redis;
}
