import { portage } from '../environment/program';
import { RoundTripCounter } from '../environment/round-trip-counter';
import { onlyAnswered } from '../load';
import { figure } from '../results';
import { CONNECTIONS, loadOf, part, post, requests } from './book-import';
import type { Bench, Findings, Measure } from './measure';

const ALONE_PER_SECOND = 20;

/** A count and no time: it is the same in every round and on every machine, so it is made once. */
export const roundTrips: Measure = {
  name: 'round-trips',
  title: 'How often the worker waits for PostgreSQL, for each account',
  async run(bench: Bench): Promise<Findings> {
    const { book } = loadOf(Math.min(bench.accounts, 2_000));
    const alone = part(book, 0, 0.05);
    const together = part(book, 0.05, 1);
    const installation = await bench.servers.installation(bench.servers.fasterBackend);
    const counter = await RoundTripCounter.before(installation.databaseUrl);
    try {
      const running = await installation.start(portage, 0);
      await running.startWorkers(1, { DATABASE_URL: counter.databaseUrl });
      const start = counter.count;
      const slow = await running.load(1).sendAtRate(requests(alone), ALONE_PER_SECOND);
      onlyAnswered(201, slow);
      await installation.allProcessed(alone.payloads.length);
      const single = (counter.count - start) / alone.payloads.length;
      bench.say(`${figure(single)} for an account alone`);

      const middle = counter.count;
      await post(running, together);
      await installation.allProcessed(book.payloads.length);
      const batched = (counter.count - middle) / together.payloads.length;
      bench.say(`${figure(batched)} where many are in hand`);
      return {
        load: `${alone.payloads.length} accounts, ${ALONE_PER_SECOND} a second, and then ${together.payloads.length} over ${CONNECTIONS} connections, queue in ${bench.servers.fasterBackend}. Counted between worker and PostgreSQL, with all that a worker asks besides (sweeping, counting).`,
        rounds: 1,
        tables: [],
        goals: [
          { what: 'of an account alone', found: single, atMost: 2 },
          { what: 'where many are in hand', found: batched, atMost: 0.1 },
        ],
      };
    } finally {
      await installation.close();
      counter.close();
    }
  },
};
