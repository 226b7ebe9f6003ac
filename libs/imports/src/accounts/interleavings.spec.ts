import { AccountRequestRepository, type IdempotencyKeyRepository, OutcomeWaiter } from '@portage/accounts';
import { type ChangeFeed, Database, InvalidatingCache, Logger, type Quotas } from '@portage/platform';
import fc, { type Scheduler } from 'fast-check';
import { DataSource } from 'typeorm';

/*
 * The scheduler of fast-check decides which statement, answer or notification comes next. A failure prints the order.
 */

const RUNS = { numRuns: 60 };

/** A database that no statement reaches. */
const noDatabase = () => new Database(new DataSource({ type: 'postgres' }));

/** A change feed whose notifications the test sends. */
class FakeChangeFeed {
  isListening = true;
  private readonly changes: (() => void)[] = [];
  private readonly outcomes: ((id: string, outcome: unknown) => void)[] = [];

  onChange(_table: string, listener: () => void): void {
    this.changes.push(listener);
  }

  onOutcome(listener: (id: string, outcome: unknown) => void): void {
    this.outcomes.push(listener);
  }

  announceChange(): void {
    for (const listener of this.changes) listener();
  }

  announceOutcome(id: string, outcome: unknown): void {
    for (const listener of this.outcomes) listener(id, outcome);
  }

  /** As {@link ChangeFeed}, of which the tested classes use these members only. */
  asChangeFeed(): ChangeFeed {
    return this as unknown as ChangeFeed;
  }
}

const soon = async (scheduler: Scheduler, label: string) => scheduler.schedule(Promise.resolve(), label);

describe('every order of statements, answers and notifications', () => {
  it('a cache never returns a row that is older than a change that was announced before', async () => {
    const events = fc.array(fc.constantFrom('read', 'read', 'change', 'lose', 'load fails'), {
      minLength: 2,
      maxLength: 16,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), events, async (scheduler, list) => {
        const feed = new FakeChangeFeed();
        let committed = 0;
        let announced = 0;
        let failing = 0;
        const cache = new InvalidatingCache<string, number>(
          feed.asChangeFeed(),
          'api_key',
          30_000,
          async () => {
            await soon(scheduler, 'the query runs');
            const value = committed;
            await soon(scheduler, 'its answer arrives');
            if (failing > 0) {
              failing -= 1;
              throw new Error('away');
            }
            return value;
          },
        );
        const act: Record<(typeof list)[number], () => Promise<void>> = {
          read: async () => {
            await soon(scheduler, 'read');
            // While the connection is down, every read is a query, which sees all that is committed.
            const oldest = feed.isListening ? announced : committed;
            const value = await Promise.resolve(cache.get('key')).catch(() => undefined);
            if (value !== undefined) expect(value).toBeGreaterThanOrEqual(oldest);
          },
          change: async () => {
            await soon(scheduler, 'commit');
            committed += 1;
            const version = committed;
            await soon(scheduler, 'announcement');
            if (!feed.isListening) return;
            feed.announceChange();
            announced = Math.max(announced, version);
          },
          lose: async () => {
            await soon(scheduler, 'the LISTEN connection is lost');
            feed.isListening = false;
            await soon(scheduler, 'it listens again');
            feed.isListening = true;
            feed.announceChange();
            announced = committed;
          },
          'load fails': async () => {
            await soon(scheduler, 'the next load fails');
            failing += 1;
          },
        };
        await scheduler.waitFor(Promise.all(list.map(async (event) => act[event]())));
      }),
      RUNS,
    );
  });

  it('a waiter gets the outcome of its own request, whether the notification comes, is too long, or is lost', async () => {
    class Requests extends AccountRequestRepository {
      readonly stored = new Map<string, unknown>();

      constructor(private readonly scheduler: Scheduler) {
        super(noDatabase(), {} as IdempotencyKeyRepository, {} as Quotas);
      }

      override async findOutcomes(ids: readonly string[]): Promise<{ id: string; outcome: unknown }[]> {
        await soon(this.scheduler, `read ${ids.join()}`);
        const found = ids.filter((id) => this.stored.has(id));
        const outcomes = found.map((id) => ({ id, outcome: this.stored.get(id) }));
        await soon(this.scheduler, 'its answer arrives');
        return outcomes;
      }
    }
    const requests = fc.array(
      fc.record({
        notification: fc.constantFrom('sent', 'long', 'lost'),
        waiters: fc.integer({ min: 1, max: 2 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, async (scheduler, list) => {
        const feed = new FakeChangeFeed();
        const repository = new Requests(scheduler);
        const logger = new Logger({ LOG_LEVEL: 'silent' });
        const waiter = new OutcomeWaiter(repository, logger, feed.asChangeFeed(), { intervalMs: 1 });
        const work = async (id: string, notification: string) => {
          await soon(scheduler, `the worker stores ${id}`);
          repository.stored.set(id, { of: id });
          await soon(scheduler, `notification of ${id}`);
          if (notification === 'sent') feed.announceOutcome(id, { of: id });
          if (notification === 'long') feed.announceOutcome(id, undefined);
        };
        const wait = async (id: string) => {
          await soon(scheduler, `a client waits for ${id}`);
          return waiter.waitFor(id, { timeoutMs: 10_000, mayBeFinished: true });
        };
        const answers = list.flatMap(({ notification, waiters }, index) => {
          const id = String(index);
          void work(id, notification);
          return Array.from({ length: waiters }, async () => ({ id, answer: await wait(id) }));
        });
        for (const { id, answer } of await scheduler.waitFor(Promise.all(answers)))
          expect(answer).toEqual({ outcome: { of: id } });
        waiter.onApplicationShutdown();
      }),
      RUNS,
    );
  });
});
