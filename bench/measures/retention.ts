import type { Backend } from '../environment/installation';
import { portage } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, createLoad, describeLoad, importBook } from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';
import { measureJobs } from './retained-jobs';
import { sum } from './workers';

/** Jobs of a turn. */
const JOBS = 8_000;
const QUICK_JOBS = 1_000;
/** Turns of each kind in a round: they are short, so that a machine that becomes slower changes both kinds. */
const TURNS = 3;

/** A turn of jobs in milliseconds of CPU time a job, or an import with those of an account and the accounts of a job. */
interface Result {
  readonly time: number;
  readonly accountsPerJob: number;
}

type Runs = ReadonlyMap<string, Result[]>;

const KINDS = [true, false];
const jobsOf = (backend: Backend, retains: boolean) =>
  `jobs on ${backend} that are ${retains ? 'retained' : 'removed'}`;
const importOn = (backend: Backend) => `import on ${backend}`;

export const retention: Measure = {
  name: 'retention',
  title: 'The cost of retained completed jobs and of the metrics of queues',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts);
    const jobs = bench.isQuick ? QUICK_JOBS : JOBS;
    const { backends } = bench.servers;
    const summarize = ({ time }: Result) => `${formatFigure(time * 1_000)} µs of CPU time`;
    const imports = await interleave(
      bench,
      backends.map((backend) => ({
        name: importOn(backend),
        run: async () => {
          const { times, accountsPerJob } = await importBook(bench, portage, { backend, load });
          return { time: sum(times), accountsPerJob };
        },
        summarize,
      })),
    );
    const turns = await interleave(
      { ...bench, rounds: bench.isQuick ? 1 : bench.rounds * TURNS },
      backends.flatMap((backend) =>
        KINDS.map((retains) => ({
          name: jobsOf(backend, retains),
          run: async () => ({
            time: await measureJobs(bench, { backend, retains, jobs }),
            accountsPerJob: 1,
          }),
          summarize,
        })),
      ),
    );
    const runs: Runs = new Map([...imports, ...turns]);
    return {
      load:
        `${describeLoad(load)}, over ${CONNECTIONS} connections, one API and one worker; and ${jobs.toLocaleString('en')} jobs that do nothing, ` +
        `after half as many, in ${bench.isQuick ? 1 : TURNS} turns a round. Retained jobs are also counted by minute on Redis, and their removal is part of the time on PostgreSQL.`,
      tables: [table(runs, backends)],
      goals: backends.map((backend) => goal(runs, backend)),
    };
  },
};

function table(runs: Runs, backends: readonly Backend[]): Table {
  const times = (name: string) => (runs.get(name) ?? []).map(({ time }) => time * 1_000);
  return {
    caption: 'CPU time in µs',
    columns: ['queue', 'a retained job', 'a removed job', 'an account', 'accounts a job'],
    rows: backends.map((backend) => [
      backend,
      ...KINDS.map((retains) => formatFigures(times(jobsOf(backend, retains)))),
      formatFigures(times(importOn(backend))),
      formatFigure(median((runs.get(importOn(backend)) ?? []).map(({ accountsPerJob }) => accountsPerJob))),
    ]),
  };
}

/** What retention adds to the CPU time of an account: the difference of the turns that follow each other. */
function goal(runs: Runs, backend: Backend): Goal {
  const [retained = [], removed = []] = KINDS.map((retains) => runs.get(jobsOf(backend, retains)));
  const added = median(retained.map(({ time }, turn) => time - (removed[turn]?.time ?? time)));
  const imports = runs.get(importOn(backend)) ?? [];
  const share = median(imports.map(({ time, accountsPerJob }) => added / accountsPerJob / time));
  return { name: `CPU time on ${backend} against removal at once`, measured: 1 + share, atMost: 1.02 };
}
