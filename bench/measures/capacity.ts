import { portage } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { CONNECTIONS, describeLoad, importBook, type ImportedBook, createLoad } from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

const WORKERS = [1, 2, 4];

export const capacity: Measure = {
  name: 'capacity',
  title: 'Throughput with more workers on one machine, the table in docs/operating.md',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts);
    const backend = bench.servers.fasterBackend;
    const turns = WORKERS.map((workers) => ({
      name: String(workers),
      run: async () => importBook(bench, portage, { backend, workers, load }),
      summarize: ({ accountsPerSecond }: ImportedBook) => `${formatFigure(accountsPerSecond)} accounts/s`,
    }));
    const runs = await interleave(bench, turns);
    return {
      load: `${describeLoad(load)}, over ${CONNECTIONS} connections to one API; queue in ${backend}. All processes share the machine, so more workers help only if a core is idle.`,
      tables: [
        {
          columns: ['workers', 'accounts/s', 'POST p95'],
          rows: [...runs].map(([workers, own]) => [
            workers,
            formatFigures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
            `${formatFigures(own.map(({ posts }) => posts.latency.p95))} ms`,
          ]),
        },
      ],
      goals: [],
    };
  },
};
