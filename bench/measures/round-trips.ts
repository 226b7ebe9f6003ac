import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from '../book';
import { portage } from '../environment/program';
import { RoundTripCounter } from '../environment/round-trip-counter';
import { requireStatus } from '../load';
import { formatFigure } from '../results';
import { CONNECTIONS, createLoad, sliceOfBook, postBook, bookRequests } from './book-import';
import type { Bench, Findings, Measure } from './measure';

const SINGLE_ACCOUNTS_PER_SECOND = 20;

/** Duration without POSTs, to count the round trips of an idle worker. */
const IDLE_SECONDS = 5;

/** Runs one round, because the count does not depend on the machine. */
export const roundTrips: Measure = {
  name: 'round-trips',
  title: 'Round trips between worker and PostgreSQL per account',
  async run(bench: Bench): Promise<Findings> {
    const { book } = createLoad(Math.min(bench.accounts, 2_000));
    const warmUp = sliceOfBook(book, 0, 0.05);
    const singleAccounts = sliceOfBook(book, 0.05, 0.1);
    const batchedAccounts = sliceOfBook(book, 0.1, 1);
    const installation = await bench.servers.installation(bench.servers.fasterBackend);
    const counter = await RoundTripCounter.start(installation.databaseUrl);
    try {
      const running = await installation.start(portage, 0);
      await running.startWorkers(1, { DATABASE_URL: counter.databaseUrl });
      await postBook(running, warmUp);
      await installation.allFinished();
      const idleCount = await countDuring(counter, async () => sleep(IDLE_SECONDS * 1_000));
      const forAccount = async ({ payloads }: Book, work: () => Promise<void>) => {
        const start = performance.now();
        const count = await countDuring(counter, work);
        const idle = (idleCount * (performance.now() - start)) / (IDLE_SECONDS * 1_000);
        return (count - idle) / payloads.length;
      };

      const single = await forAccount(singleAccounts, async () => {
        requireStatus(
          201,
          await running.load(1).sendAtRate(bookRequests(singleAccounts), SINGLE_ACCOUNTS_PER_SECOND),
        );
        await installation.allFinished();
      });
      bench.log(`${formatFigure(single)} per single account`);
      const batched = await forAccount(batchedAccounts, async () => {
        await postBook(running, batchedAccounts);
        await installation.allProcessed(book.payloads.length);
      });
      bench.log(`${formatFigure(batched)} per account with many concurrent accounts`);
      return {
        load: `After ${warmUp.payloads.length} warm-up accounts, ${singleAccounts.payloads.length} accounts at ${SINGLE_ACCOUNTS_PER_SECOND} per second, and then ${batchedAccounts.payloads.length} over ${CONNECTIONS} connections, queue in ${bench.servers.fasterBackend}. Counted between worker and PostgreSQL, without the round trips of an idle worker in the same time (${formatFigure(idleCount / IDLE_SECONDS)} per second: sweeping, counting).`,
        rounds: 1,
        tables: [],
        goals: [
          {
            name: 'per single account',
            measured: single,
            atMost: 2,
            missReason:
              'background statements of the worker, which are more frequent than in the idle seconds before; the account itself is two statements.',
          },
          { name: 'with many concurrent accounts', measured: batched, atMost: 0.1 },
        ],
      };
    } finally {
      await installation.close();
      counter.close();
    }
  },
};

async function countDuring(counter: RoundTripCounter, work: () => Promise<void>): Promise<number> {
  const before = counter.count;
  await work();
  return counter.count - before;
}
