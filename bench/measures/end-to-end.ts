import { typicalBook, type Book } from '../book';
import type { Backend } from '../environment/installation';
import { type Program, service } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { type LoadResult, onlyAnswered } from '../load';
import { figures } from '../results';
import { inTurns } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

const CONNECTIONS = 32;

interface Run {
  posts: LoadResult;
  accountsPerSecond: number;
}

export const endToEnd: Measure = {
  name: 'end-to-end',
  title: 'Accounts a second, from the first POST to the last PROCESSED',
  async run(bench: Bench): Promise<Findings> {
    const book = typicalBook(bench.accounts, SUPPLIER);
    const turns = bench.servers.backends.map((backend) => ({
      name: `${service.name} on ${backend}`,
      run: async () => importBook(bench, service, backend, book),
      tell: ({ accountsPerSecond }: Run) => `${Math.round(accountsPerSecond)} accounts/s`,
    }));
    const results = await inTurns(bench, turns);
    return {
      load: `${bench.accounts} accounts of ${Math.round(book.meanBytes)} bytes over ${CONNECTIONS} connections`,
      tables: [
        {
          columns: ['', 'accounts/s'],
          rows: [...results].map(([name, runs]) => [
            name,
            figures(runs.map(({ accountsPerSecond }) => accountsPerSecond)),
          ]),
        },
      ],
      goals: [],
    };
  },
};

async function importBook(bench: Bench, program: Program, backend: Backend, book: Book): Promise<Run> {
  const installation = await bench.servers.installation(backend);
  try {
    const running = await installation.start(program, 1);
    const load = running.load(CONNECTIONS);
    const start = performance.now();
    const requests = book.payloads.map((body) => ({
      method: 'POST' as const,
      path: '/v2/data-import/accounts/',
      body,
    }));
    const posts = onlyAnswered(201, await load.send(requests));
    await installation.allProcessed(book.payloads.length);
    const seconds = (performance.now() - start) / 1_000;
    return { posts, accountsPerSecond: book.payloads.length / seconds };
  } finally {
    await installation.close();
  }
}
