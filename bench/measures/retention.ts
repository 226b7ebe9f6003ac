import type { Backend } from '../environment/installation';
import { portage, type Program, withoutRetention } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, createLoad, describeLoad, importBook, type ImportedBook } from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';
import { sum } from './workers';

const PROGRAMS = [portage, withoutRetention];

type Runs = ReadonlyMap<string, ImportedBook[]>;

export const retention: Measure = {
  name: 'retention',
  title: 'The cost of retained completed jobs and of the metrics of queues',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts);
    const { backends } = bench.servers;
    const runs = await interleave(
      bench,
      backends.flatMap((backend) =>
        PROGRAMS.map((program) => ({
          name: nameOf(program, backend),
          run: async () => importBook(bench, program, { backend, load }),
          summarize: ({ times }: ImportedBook) => `${formatFigure(sum(times))} ms of CPU time an account`,
        })),
      ),
    );
    return {
      load:
        `${describeLoad(load)}, over ${CONNECTIONS} connections, one API and one worker. ` +
        'The second program is the same build, whose jobs are removed as they complete, and whose workers count nothing by minute.',
      tables: backends.map((backend) => table(runs, backend)),
      goals: backends.map((backend) => goal(runs, backend)),
    };
  },
};

function nameOf({ name }: Program, backend: Backend): string {
  return `${name} on ${backend}`;
}

function table(runs: Runs, backend: Backend): Table {
  return {
    caption: `CPU time per account in ms, queue in ${backend}`,
    columns: ['', 'API', 'worker', 'PostgreSQL', 'Redis', 'sum', 'accounts/s'],
    rows: PROGRAMS.map((program) => {
      const own = runs.get(nameOf(program, backend)) ?? [];
      return [
        program.name,
        ...(['api', 'worker', 'postgres', 'redis'] as const).map((part) =>
          formatFigure(median(own.map(({ times }) => times[part]))),
        ),
        formatFigures(own.map(({ times }) => sum(times))),
        formatFigures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
      ];
    }),
  };
}

/** Compares the programs within each round, so that a machine that becomes slower changes both. */
function goal(runs: Runs, backend: Backend): Goal {
  const [retaining, forgetting] = PROGRAMS.map((program) => runs.get(nameOf(program, backend)) ?? []) as [
    ImportedBook[],
    ImportedBook[],
  ];
  const ratios = retaining.map(({ times }, round) => sum(times) / sum(forgetting[round]?.times ?? times));
  return { name: `CPU time on ${backend} against removal at once`, measured: median(ratios), atMost: 1.02 };
}
