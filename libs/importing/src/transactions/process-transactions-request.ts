import { Inject, Injectable } from '@nestjs/common';
import { Batcher, CohortScheduler } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  AccountRequestRepository,
  Database,
  ImportedAccountRepository,
  type PendingAccountRequest,
} from '@portage/database';
import { Logger } from '@portage/observability';
import { chargedPeriodsOf } from '../account/new-account/ledgers';
import { isItemLevelError } from '../item-level-error';
import { isTransient } from '../transient-failure';
import { OUTDATED, TransactionsWriter } from './transactions-writer';
import type { TransactionsInput, TransactionsOutcome } from './transactions-work';

/** How a job ended. `outdated`: the request had been done, so the job did nothing. */
export type AddingOutcome = TransactionsOutcome['kind'] | 'outdated';

/** A request that was started so often without coming to an end brings its workers down. */
const MOST_STARTS = 25;

/** The worker's half of a transactions request: adds all of its transactions, or none (contract 4.3). */
@Injectable()
export class ProcessTransactionsRequest {
  private readonly groups: CohortScheduler;
  private readonly starting: Batcher<string, PendingAccountRequest | undefined>;
  private readonly adding: Batcher<PendingAccountRequest, AddingOutcome | undefined>;

  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly posting: TransactionsWriter,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const limits = {
      maxSize: config.WORKER_BATCH_ACCOUNTS,
      maxConcurrent: config.BATCHES_AT_ONCE,
      slowAfterMs: config.BATCH_SLOW_AFTER_MS,
      retryIndividually: isItemLevelError,
    };
    this.groups = new CohortScheduler(limits);
    this.starting = new Batcher<string, PendingAccountRequest | undefined>(
      async (ids) => {
        const started = new Map((await requests.start(ids, 'transactions')).map((one) => [one.id, one]));
        return ids.map((id) => started.get(id));
      },
      { ...limits, keyOf: (id) => id },
    );
    this.adding = new Batcher<PendingAccountRequest, AddingOutcome | undefined>(
      async (batch) => this.addTogether(batch),
      { ...limits, keyOf: ({ accountId }) => accountId },
    );
  }

  /**
   * Safe to repeat and to run twice at once: transactions, balance, note and outcome are one commit, which only the
   * first one reaches. Small requests that are there at the same time share it, unless it fails for one of them.
   *
   * The open statement period is the one that is stored. Where it has ended and the scheduled job has not yet closed
   * it, transactions still go into it: the answer does not depend on the minute.
   *
   * @throws what is transient, for the queue to try again
   */
  async run(requestId: string): Promise<AddingOutcome> {
    const ended = await this.groups.run(async () => {
      const request = await this.starting.add(requestId);
      if (!request) return 'outdated';
      if (this.goesAlone(request)) return request;
      return (await this.end(request, async () => this.adding.add(request))) ?? request;
    });
    if (typeof ended === 'string') return ended;
    return this.end(ended, async () => this.addAlone(ended));
  }

  private async end<Outcome extends AddingOutcome | undefined>(
    { id, attempt }: PendingAccountRequest,
    add: () => Promise<Outcome>,
  ): Promise<Outcome | AddingOutcome> {
    try {
      if (attempt > MOST_STARTS) throw new RangeError(`Started ${MOST_STARTS} times without an outcome.`);
      return await add();
    } catch (error) {
      if (error === OUTDATED) return 'outdated';
      if (isTransient(error)) throw error;
      this.logger.failure('Transactions could not be added.', { error });
      const ended = await this.requests.finish(this.database, [
        { id, outcome: { kind: 'failed' }, retainIdempotencyKey: false },
      ]);
      return ended.has(id) ? 'failed' : 'outdated';
    }
  }

  /** What is large gains nothing by waiting; and days of supply that two requests charge must not meet in one commit. */
  private goesAlone({ input }: PendingAccountRequest): boolean {
    const { transactions } = input as TransactionsInput;
    return (
      transactions.length > this.config.TRANSACTIONS_TOGETHER ||
      transactions.some((transaction) => chargedPeriodsOf(transaction).length > 0)
    );
  }

  /** Waits for the account, whoever holds it. */
  private async addAlone(request: PendingAccountRequest): Promise<AddingOutcome> {
    return this.database.transaction(async (executor) => {
      const accountExists = await this.accounts.lock(executor, request.accountId);
      const [outcome] = await this.posting.add(executor, [{ request, accountExists }]);
      return outcome ?? 'outdated';
    });
  }

  /** Of accounts that are all different. Undefined for one that somebody else holds, or that has been erased. */
  private async addTogether(batch: readonly PendingAccountRequest[]): Promise<(AddingOutcome | undefined)[]> {
    return this.database.transaction(async (executor) => {
      const accountIds = batch.map(({ accountId }) => accountId);
      const free = await this.accounts.lockSkipLocked(executor, accountIds);
      const ours = batch.filter(({ accountId }) => free.has(accountId));
      if (ours.length === 0) return batch.map(() => undefined);
      const outcomes = await this.posting.add(
        executor,
        ours.map((request) => ({ request, accountExists: true })),
      );
      const outcomeOf = new Map(ours.map((request, index) => [request, outcomes[index]]));
      return batch.map((request) => outcomeOf.get(request));
    });
  }
}
