import type { Backend } from '../environment/installation';
import { portage } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import {
  CONNECTIONS,
  createLoad,
  describeLoad,
  importBook,
  type ImportedBook,
  type Load,
  WARM_UP_OF_WORKER,
  type Way,
} from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';

const WORKERS = [1, 2, 4];
const WAYS: readonly Way[] = ['posts', 'submission'];

type Runs = ReadonlyMap<string, ImportedBook[]>;

export const workers: Measure = {
  name: 'workers',
  title: 'More workers on one machine, the table in docs/operating.md',
  async run(bench: Bench): Promise<Findings> {
    const warmUp = bench.isQuick ? undefined : WARM_UP_OF_WORKER;
    const loads = new Map(WORKERS.map((count) => [count, createLoad(bench.accounts, count, warmUp)]));
    const load = loads.get(1) as Load;
    const { backends } = bench.servers;
    const series = backends.flatMap((backend) => WAYS.map((way) => ({ backend, way })));
    const turns = series.flatMap(({ backend, way }) =>
      WORKERS.map((count) => ({
        name: nameOf(backend, way, count),
        run: async () =>
          importBook(bench, portage, { backend, way, workers: count, load: loads.get(count) as Load }),
        summarize: ({ accountsPerSecond, times }: ImportedBook) =>
          `${formatFigure(accountsPerSecond)} accounts/s, ${formatFigure(sum(times))} ms`,
      })),
    );
    const runs = await interleave(bench, turns);
    return {
      load: `${describeLoad(load)} for each worker, over ${CONNECTIONS} connections to one API, or in one upload. All processes share the machine, so that more workers cannot be faster where every core is busy.`,
      tables: series.map(({ backend, way }) => table(runs, backend, way)),
      goals: series.flatMap(({ backend, way }) => goals(runs, backend, way)),
    };
  },
};

function nameOf(backend: Backend, way: Way, count: number): string {
  return `${way} on ${backend}, ${count} ${count === 1 ? 'worker' : 'workers'}`;
}

/** Of API, workers, PostgreSQL and Redis. */
export function sum({ api, worker, postgres, redis }: ImportedBook['times']): number {
  return api + worker + postgres + redis;
}

function table(runs: Runs, backend: Backend, way: Way): Table {
  const of = (count: number) => runs.get(nameOf(backend, way, count)) ?? [];
  return {
    caption: `${way === 'posts' ? 'Single POSTs' : 'A submission'}, queue in ${backend}`,
    columns: [
      ...['workers', 'accounts/s', 'to 1 worker', 'CPU ms an account', 'to 1 worker'],
      ...['API ms', 'workers ms', 'PostgreSQL ms', 'accounts of a job', 'POST p95 ms'],
    ],
    rows: WORKERS.map((count) => {
      const own = of(count);
      return [
        String(count),
        formatFigures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
        formatFigure(rate(own) / rate(of(1))),
        formatFigures(own.map(({ times }) => sum(times))),
        formatFigure(time(own) / time(of(1))),
        ...parts(own, ['api', 'worker', 'postgres']),
        formatFigure(median(own.map(({ accountsPerJob }) => accountsPerJob))),
        way === 'posts' ? formatFigures(own.map(({ posts }) => posts?.latency.p95 ?? NaN)) : '',
      ];
    }),
  };
}

/** The CPU time an account of parts of the installation. */
function parts(runs: readonly ImportedBook[], names: readonly (keyof ImportedBook['times'])[]): string[] {
  return names.map((name) => formatFigure(median(runs.map(({ times }) => times[name]))));
}

function goals(runs: Runs, backend: Backend, way: Way): Goal[] {
  const [one, four] = [1, 4].map((count) => runs.get(nameOf(backend, way, count)) ?? []) as [
    ImportedBook[],
    ImportedBook[],
  ];
  const name = `${way} on ${backend}, 4 workers against 1`;
  return [
    { name: `${name}: accounts/s`, measured: rate(four) / rate(one), atLeast: 0.95 },
    { name: `${name}: CPU time`, measured: time(four) / time(one), atMost: 1.1 },
  ];
}

function rate(runs: readonly ImportedBook[]): number {
  return median(runs.map(({ accountsPerSecond }) => accountsPerSecond));
}

function time(runs: readonly ImportedBook[]): number {
  return median(runs.map(({ times }) => sum(times)));
}
