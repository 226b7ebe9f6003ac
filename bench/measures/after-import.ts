import { BookSource } from '../book';
import type { TestedBackend } from '@portage/testing/backends';
import { Contender, portage, SUPPLIER } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { postBook } from './import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';
import { type AddedTransactions, CONNECTIONS, TransactionsLoad, turnSeconds } from './transactions-load';

const SIZES = [1, 1_000];
const ACCOUNTS = { count: 1_000, whenQuick: 100 };

export const afterImport: Measure = {
  name: 'after-import',
  title: 'Transactions that are added to imported accounts',
  minutes: 4,
  async run(bench: Bench): Promise<Findings> {
    const results = new Map<string, readonly AddedTransactions[]>();
    for (const backend of bench.backends)
      for (const [name, own] of await measureBackend(bench, backend)) results.set(name, own);
    return {
      load: `Requests over ${CONNECTIONS} connections, ${turnSeconds(bench)} s per turn, one API and one worker. The API responds after the worker has added the transactions. CPU time is in ms per request.`,
      tables: [
        {
          columns: [
            'transactions a request',
            'requests/s',
            'p50 ms',
            'p99 ms',
            'API',
            'worker',
            'PostgreSQL',
          ],
          rows: [...results].map(([name, own]) => [
            name,
            formatFigures(own.map(({ requestsPerSecond }) => requestsPerSecond)),
            formatFigures(own.map(({ p50 }) => p50)),
            formatFigure(median(own.map(({ p99 }) => p99))),
            ...(['api', 'worker', 'postgres'] as const).map((part) =>
              formatFigure(median(own.map(({ times }) => times[part]))),
            ),
          ]),
        },
      ],
      goals: [
        {
          name: 'one transaction, p50, queue in Redis',
          measured: p50Of(results.get(nameOf(1, 'redis'))),
          atMost: 12,
          unit: 'ms',
        },
      ],
    };
  },
};

async function measureBackend(
  bench: Bench,
  backend: TestedBackend,
): Promise<ReadonlyMap<string, AddedTransactions[]>> {
  const contender = await Contender.start(portage, { backend, workers: 1 });
  try {
    const book = new BookSource(SUPPLIER).next(bench.isQuick ? ACCOUNTS.whenQuick : ACCOUNTS.count);
    await postBook(contender, book);
    await contender.allProcessed(book.payloads.length);
    const load = await TransactionsLoad.forStoredAccounts(contender);
    const turns = SIZES.map((size) => ({
      name: nameOf(size, backend),
      run: async () => load.run(size, turnSeconds(bench)),
      summarize: ({ requestsPerSecond, p50 }: AddedTransactions) =>
        `${formatFigure(requestsPerSecond)} requests/s, p50 ${formatFigure(p50)} ms`,
    }));
    // The warm-up.
    for (const { run } of turns) await run();
    return await interleave(bench, turns);
  } finally {
    await contender.stop();
  }
}

function nameOf(size: number, backend: TestedBackend): string {
  return `${size.toLocaleString('en')}, queue in ${backend}`;
}

function p50Of(results: readonly AddedTransactions[] | undefined): number {
  return results ? median(results.map(({ p50 }) => p50)) : NaN;
}
