import { portage } from '../environment/program';
import { figure, figures } from '../results';
import { CONNECTIONS, described, importBook, type ImportedBook, loadOf } from './book-import';
import { inTurns } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

const WORKERS = [1, 2, 4];

export const capacity: Measure = {
  name: 'capacity',
  title: 'What more workers bring, on this one machine: the table of docs/operating.md',
  async run(bench: Bench): Promise<Findings> {
    const load = loadOf(bench.accounts);
    const backend = bench.servers.fasterBackend;
    const turns = WORKERS.map((workers) => ({
      name: String(workers),
      run: async () => importBook(bench, portage, { backend, workers, load }),
      tell: ({ accountsPerSecond }: ImportedBook) => `${figure(accountsPerSecond)} accounts/s`,
    }));
    const runs = await inTurns(bench, turns);
    return {
      load: `${described(load)}, over ${CONNECTIONS} connections to one API; queue in ${backend}. All processes share the machine, so more workers help only while a core is idle.`,
      tables: [
        {
          columns: ['workers', 'accounts a second', '95 of 100 requests answered within'],
          rows: [...runs].map(([workers, own]) => [
            workers,
            figures(own.map(({ accountsPerSecond }) => accountsPerSecond)),
            `${figures(own.map(({ posts }) => posts.latency.p95))} ms`,
          ]),
        },
      ],
      goals: [],
    };
  },
};
