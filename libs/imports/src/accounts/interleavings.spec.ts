import {
  type AccountFollowUps,
  AccountRequestRepository,
  type AccountWithFollowUps,
  OutcomeWaiter,
} from '@portage/accounts';
import { type ChangeFeed, Database, InvalidatingCache, Logger, type Quotas } from '@portage/platform';
import fc, { type Scheduler } from 'fast-check';
import { DataSource } from 'typeorm';
import {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  type StartedImport,
  type UnstartedReason,
} from './account-import.repository';
import type { ProcessVersion } from '../processes/pending-process.repository';
import type { AccountNumbers } from './account-numbers';
import type { AccountValidation } from './account-validation';
import { ImportAccounts } from './import-accounts';

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

describe('in every order of statements, answers and notifications', () => {
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
        super(noDatabase(), {} as Quotas);
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

  it('of the batches of two workers one creates each account, and each learns of its own accounts only', async () => {
    /** The rows of the processes, with the conditions of the statements. */
    class Rows extends AccountImportRepository {
      readonly rows = new Map<string, Pick<StartedImport, 'status' | 'attempt'>>();
      readonly accounts: string[] = [];

      constructor(private readonly scheduler: Scheduler) {
        super(noDatabase());
      }

      override async read(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
        return this.perform('read', versions, (version) => {
          const row = this.rows.get(version.processId);
          return row?.status === 'PENDING' ? startedImport(version, row) : undefined;
        });
      }

      override async start(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
        return this.perform('start', versions, (version) => {
          const row = this.rows.get(version.processId);
          if (!row) return undefined;
          Object.assign(row, { status: 'IN_PROGRESS', attempt: row.attempt + 1 });
          return startedImport(version, row);
        });
      }

      override async create(creations: readonly AccountCreation[]): Promise<AccountCreationResult[]> {
        const started = creations.map((creation) => creation.started);
        return this.perform('create', started, ({ processId, status, attempt }) => {
          const row = this.rows.get(processId);
          if (row?.status !== status || row.attempt !== attempt) return { kind: 'outdated' };
          this.rows.delete(processId);
          this.accounts.push(processId);
          return {
            kind: 'created',
            account: { accountId: processId, documentIds: [], hasWelcomeEmail: false },
          };
        });
      }

      override async cancelMissed(versions: readonly ProcessVersion[]): Promise<boolean[]> {
        return Promise.resolve(versions.map(() => false));
      }

      override async findReasons(versions: readonly ProcessVersion[]): Promise<UnstartedReason[]> {
        return Promise.resolve(versions.map(() => ({})));
      }

      private async perform<Item extends ProcessVersion, Result>(
        name: string,
        items: readonly Item[],
        one: (item: Item) => Result,
      ): Promise<Result[]> {
        await soon(this.scheduler, `${name} ${items.map(({ processId }) => processId).join()}`);
        const results = items.map(one);
        await soon(this.scheduler, 'answer');
        return results;
      }
    }
    const batch = fc.record({
      processes: fc.uniqueArray(fc.nat(3), { minLength: 1 }),
      isFirstRun: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(batch, { minLength: 1, maxLength: 6 }),
        async (scheduler, batches) => {
          const rows = new Rows(scheduler);
          const all = [...new Set(batches.flatMap(({ processes }) => processes.map(String)))].sort();
          for (const processId of all) rows.rows.set(processId, { status: 'PENDING', attempt: 0 });
          const enqueue = jest.fn<Promise<void>, [readonly AccountWithFollowUps[]]>().mockResolvedValue();
          const imports = new ImportAccounts(
            rows,
            { derive: async () => Promise.resolve('A-1') } as unknown as AccountNumbers,
            {
              read: async (read: unknown) =>
                Promise.resolve({ ok: true, account: read, databaseRules: { lookups: [] } }),
            } as unknown as AccountValidation,
            { enqueue } as unknown as AccountFollowUps,
            new Logger({ LOG_LEVEL: 'silent' }, { maxDelayMs: 0 }),
            { now: () => new Date(0) },
          );
          const created: string[] = [];
          const run = async ({ processes, isFirstRun }: (typeof batches)[number]) => {
            const versions = processes.map((process) => ({ processId: String(process), version: 1 }));
            await soon(scheduler, `batch ${processes.join()}`);
            const outcomes = await imports.import(versions, { isFirstRun });
            created.push(
              ...versions
                .map(({ processId }) => processId)
                .filter((_, at) => outcomes[at]?.kind === 'processed'),
            );
          };
          await scheduler.waitFor(Promise.all(batches.map(run)));
          expect(rows.accounts.sort()).toEqual(created.sort());
          expect(new Set(created).size).toBe(created.length);
          const followed = enqueue.mock.calls.flatMap(([accounts]) =>
            accounts.map(({ account }) => account.accountId),
          );
          expect(followed.sort()).toEqual(created);
          // The run that starts a process last can store its result.
          expect(created).toEqual(all);
        },
      ),
      RUNS,
    );
  });
});

function startedImport(
  version: ProcessVersion,
  row: Pick<StartedImport, 'status' | 'attempt'>,
): StartedImport {
  return {
    ...version,
    ...row,
    accountSequence: 1,
    isDryRun: false,
    isReleased: false,
    payload: {},
    contextDigest: null,
    externalAccountNumber: version.processId,
    externalIdentifier: version.processId,
    supplier: {
      id: 1,
      code: 'LEGACY',
      status: 'Ongoing',
      region: 'GB',
      timeZone: 'UTC',
      currency: 'GBP',
      sendMigrationEmails: false,
      profile: 'core',
      creationMode: 'direct',
      organisationId: 1,
      ruleSettings: {},
      documentRoot: '',
      verifyDocuments: false,
    },
  };
}
