import fc from 'fast-check';
import { DatabaseUnavailable } from '../database/connection/database-unavailable';
import { Batcher } from './batcher';

/*
 * The scheduler of fast-check decides which of the waiting promises is settled next, so that each run is another order
 * of arrivals, batches and failures. A failure prints the order.
 */

const RUNS = { numRuns: 60 };

/** An item that arrives at some time; a batch that has one with `fails` fails as a whole. */
const items = fc
  .array(fc.record({ key: fc.nat(3), weight: fc.integer({ min: 1, max: 6 }), fails: fc.boolean() }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((list) => list.map((item, id) => ({ ...item, id })));

const limits = fc.record({
  maxSize: fc.integer({ min: 1, max: 4 }),
  maxWeight: fc.integer({ min: 3, max: 12 }),
  maxConcurrent: fc.integer({ min: 1, max: 3 }),
  slowAfterMs: fc.constantFrom(0, 10_000),
});

describe('every order of arrivals and answers', () => {
  it('a batcher settles each item once with its own result, within the limits of its batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        items,
        limits,
        fc.boolean(),
        async (scheduler, list, given, isRetried) => {
          let inFlight = 0;
          const ran: number[] = [];
          const lastOfKey = new Map<number, number>();
          const run = async (batch: readonly (typeof list)[number][]) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(given.maxConcurrent);
            expect(batch.length).toBeLessThanOrEqual(given.maxSize);
            expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
            const weight = batch.reduce((sum, item) => sum + item.weight, 0);
            expect(batch.length === 1 || weight <= given.maxWeight).toBe(true);
            await scheduler.schedule(Promise.resolve(), `batch ${batch.map(({ id }) => id).join()}`);
            inFlight -= 1;
            const ids = batch.map(({ id }) => id).join();
            if (batch.some(({ fails }) => fails))
              throw isRetried ? new Error(ids) : new DatabaseUnavailable(ids);
            for (const { id } of batch) ran.push(id);
            return batch.map(({ id }) => id * 10);
          };
          const batcher = new Batcher(run, {
            ...given,
            keyOf: ({ key }) => String(key),
            weightOf: ({ weight }) => weight,
          });
          const added = list.map(async (item) => {
            await scheduler.schedule(Promise.resolve(), `item ${item.id} arrives`);
            const previous = lastOfKey.get(item.key);
            lastOfKey.set(item.key, item.id);
            const outcome = await batcher.add(item).catch((error: unknown) => (error as Error).message);
            return { item, outcome, previous };
          });
          for (const { item, outcome } of await scheduler.waitFor(Promise.all(added))) {
            if (outcome === item.id * 10) expect(item.fails).toBe(false);
            // With retries only the item that is to blame fails, otherwise those of its batch.
            else if (isRetried) expect([item.fails, outcome]).toEqual([true, String(item.id)]);
            else expect(String(outcome).split(',')).toContain(String(item.id));
          }
          expect(new Set(ran).size).toBe(ran.length);
          expect(inFlight).toBe(0);
        },
      ),
      RUNS,
    );
  });
});
