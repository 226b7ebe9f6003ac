import type { Backend } from '../environment/installation';
import { batched, portage, type Program, stock, straight } from '../environment/program';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, described, importBook, type ImportedBook, loadOf, part } from './book-import';
import { inTurns } from './in-turns';
import type { Bench, Findings, Goal, Measure, Table } from './measure';

const PROGRAMS = [portage, straight, batched, stock];

/** The stock stack takes its time, and its rate does not depend on how long it is watched. */
const MOST_STOCK_ACCOUNTS = 2_000;

type Runs = ReadonlyMap<string, ImportedBook[]>;

export const endToEnd: Measure = {
  name: 'end-to-end',
  title: 'Imports of a book, from the first POST until the last account is there',
  async run(bench: Bench): Promise<Findings> {
    const load = loadOf(bench.accounts);
    const fewer = { ...load, book: part(load.book, 0, Math.min(1, MOST_STOCK_ACCOUNTS / bench.accounts)) };
    const { backends } = bench.servers;
    const turns = backends.flatMap((backend) =>
      PROGRAMS.map((program) => ({
        name: nameOf(program, backend),
        run: async () => importBook(bench, program, { backend, load: program === stock ? fewer : load }),
        tell: ({ accountsPerSecond }: ImportedBook) => `${figure(accountsPerSecond)} accounts/s`,
      })),
    );
    const runs = await inTurns(bench, turns);
    const stockShare =
      fewer.book.payloads.length < bench.accounts ? `; stock only ${fewer.book.payloads.length}` : '';
    return {
      load: `${described(load)}${stockShare}, over ${CONNECTIONS} connections, one API and one worker.`,
      tables: backends.flatMap((backend) => [rates(runs, backend), processorTimes(runs, backend)]),
      goals: goals(runs, backends),
    };
  },
};

function nameOf(program: Program, backend: Backend): string {
  return `${program.name} on ${backend}`;
}

function rates(runs: Runs, backend: Backend): Table {
  const portageRate = rateOf(runs, portage, backend);
  return {
    caption: `Queue in ${backend}; POST latency while the worker is at work`,
    columns: ['', 'accounts/s', 'Portage against it', 'POST p50 ms', 'POST p99 ms'],
    rows: PROGRAMS.map((program) => {
      const own = runs.get(nameOf(program, backend)) ?? [];
      return [
        program.name,
        figures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
        program === portage ? '' : figure(portageRate / rateOf(runs, program, backend)),
        figures(own.map(({ posts }) => posts.latency.p50)),
        figures(own.map(({ posts }) => posts.latency.p99)),
      ];
    }),
  };
}

function processorTimes(runs: Runs, backend: Backend): Table {
  return {
    caption: `Processor time an account in ms, queue in ${backend}; the load generator is not in the sum`,
    columns: ['', 'API', 'worker', 'PostgreSQL', 'Redis', 'sum', 'load generator'],
    rows: PROGRAMS.map((program) => {
      const own = (runs.get(nameOf(program, backend)) ?? []).map(({ times }) => times);
      return [
        program.name,
        ...(['api', 'worker', 'postgres', 'redis'] as const).map((part) =>
          figure(median(own.map((times) => times[part]))),
        ),
        figures(own.map(sum)),
        figure(median(own.map(({ load }) => load))),
      ];
    }),
  };
}

function goals(runs: Runs, backends: readonly Backend[]): Goal[] {
  if (!backends.includes('redis')) return [];
  const rate = (program: Program) => rateOf(runs, program, 'redis');
  const time = (program: Program) =>
    median((runs.get(nameOf(program, 'redis')) ?? []).map(({ times }) => sum(times)));
  return [
    { what: 'against stock', found: rate(portage) / rate(stock), atLeast: 5 },
    { what: 'against straight', found: rate(portage) / rate(straight), atLeast: 1.3 },
    {
      what: 'against batched',
      found: rate(portage) / rate(batched),
      atLeast: 0.8,
      inTheWay:
        'what it does without: tokens, questions about stored accounts, counted starts, the log, hooks around each request.',
    },
    { what: 'processor time against straight', found: time(portage) / time(straight), atMost: 0.75 },
    {
      what: 'on two cores with everything on them',
      found: rate(portage),
      atLeast: 1_000,
      unit: 'accounts/s',
      inTheWay:
        'processor time, about a third each of API, worker and PostgreSQL. What these cores give without any of the features, `batched` shows.',
    },
    {
      what: 'queue in PostgreSQL against Redis',
      found: rateOf(runs, portage, 'postgres') / rate(portage),
      atLeast: 0.5,
    },
  ];
}

function rateOf(runs: Runs, program: Program, backend: Backend): number {
  return median((runs.get(nameOf(program, backend)) ?? []).map(({ accountsPerSecond }) => accountsPerSecond));
}

function sum({ api, worker, postgres, redis }: ImportedBook['times']): number {
  return api + worker + postgres + redis;
}
