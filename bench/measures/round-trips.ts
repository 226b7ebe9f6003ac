import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from '../book';
import { portage } from '../environment/program';
import { RoundTripCounter } from '../environment/round-trip-counter';
import { onlyAnswered } from '../load';
import { figure } from '../results';
import { CONNECTIONS, loadOf, part, post, requests } from './book-import';
import type { Bench, Findings, Measure } from './measure';

const ALONE_PER_SECOND = 20;

/** For so long nothing is posted, to learn what a worker asks by itself. */
const IDLE_SECONDS = 5;

/** A count and no time: it is the same in every round and on every machine, so it is made once. */
export const roundTrips: Measure = {
  name: 'round-trips',
  title: 'How often the worker waits for PostgreSQL, for each account',
  async run(bench: Bench): Promise<Findings> {
    const { book } = loadOf(Math.min(bench.accounts, 2_000));
    const warmUp = part(book, 0, 0.05);
    const alone = part(book, 0.05, 0.1);
    const together = part(book, 0.1, 1);
    const installation = await bench.servers.installation(bench.servers.fasterBackend);
    const counter = await RoundTripCounter.before(installation.databaseUrl);
    try {
      const running = await installation.start(portage, 0);
      await running.startWorkers(1, { DATABASE_URL: counter.databaseUrl });
      await post(running, warmUp);
      await installation.allFinished();
      const idleCount = await counted(counter, async () => sleep(IDLE_SECONDS * 1_000));
      const forAccount = async ({ payloads }: Book, work: () => Promise<void>) => {
        const start = performance.now();
        const count = await counted(counter, work);
        const idle = (idleCount * (performance.now() - start)) / (IDLE_SECONDS * 1_000);
        return (count - idle) / payloads.length;
      };

      const single = await forAccount(alone, async () => {
        onlyAnswered(201, await running.load(1).sendAtRate(requests(alone), ALONE_PER_SECOND));
        await installation.allFinished();
      });
      bench.say(`${figure(single)} for an account alone`);
      const batched = await forAccount(together, async () => {
        await post(running, together);
        await installation.allProcessed(book.payloads.length);
      });
      bench.say(`${figure(batched)} where many are in hand`);
      return {
        load: `After ${warmUp.payloads.length} to warm up, ${alone.payloads.length} accounts, ${ALONE_PER_SECOND} a second, and then ${together.payloads.length} over ${CONNECTIONS} connections, queue in ${bench.servers.fasterBackend}. Counted between worker and PostgreSQL, without what an idle worker asks in the same time (${figure(idleCount / IDLE_SECONDS)} a second: sweeping, counting).`,
        rounds: 1,
        tables: [],
        goals: [
          {
            what: 'of an account alone',
            found: single,
            atMost: 2,
            inTheWay:
              'what the worker asks besides, oftener than in the idle seconds before; the account itself is two statements.',
          },
          { what: 'where many are in hand', found: batched, atMost: 0.1 },
        ],
      };
    } finally {
      await installation.close();
      counter.close();
    }
  },
};

async function counted(counter: RoundTripCounter, work: () => Promise<void>): Promise<number> {
  const before = counter.count;
  await work();
  return counter.count - before;
}
