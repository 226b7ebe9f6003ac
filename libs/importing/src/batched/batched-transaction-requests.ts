import { Inject, Injectable } from '@nestjs/common';
import { Batcher, CohortScheduler, Semaphore } from '@portage/batching';
import {
  AccountRequestRepository,
  Database,
  ImportedAccountRepository,
  type PendingAccountRequest,
} from '@portage/database';
import { chargedPeriodsOf } from '../account/new-account/ledgers';
import { TransactionRequests } from '../transactions/ports/transaction-requests';
import type { AddingOutcome } from '../transactions/process-transactions-request';
import { RequestOutdated, TransactionsWriter } from '../transactions/transactions-writer';
import type { TransactionsInput } from '../transactions/transactions-request';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/**
 * Starts concurrent requests in one statement, and adds the transactions of small requests for different accounts in
 * one database transaction. If that fails, its requests are retried one by one, so that each has its own outcome.
 */
@Injectable()
export class BatchedTransactionRequests extends TransactionRequests {
  /** The cohorts that {@link BatchedProcessTransactionsRequest} starts. */
  readonly cohorts: CohortScheduler;
  private readonly starts: Batcher<string, PendingAccountRequest | undefined>;
  /** A result is undefined if the account is locked by another transaction, or erased. */
  private readonly largeRequests: Semaphore;
  private readonly additions: Batcher<PendingAccountRequest, AddingOutcome | undefined>;

  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly writer: TransactionsWriter,
    @Inject(BATCH_POLICY) private readonly policy: BatchPolicy,
  ) {
    super();
    const limits = { ...buildCommonLimits(policy), maxSize: policy.maxWorkerItems };
    this.cohorts = new CohortScheduler(limits);
    this.largeRequests = new Semaphore(policy.maxLargeRequests);
    this.starts = new Batcher<string, PendingAccountRequest | undefined>(
      async (ids) => {
        const started = new Map((await requests.start(ids, 'transactions')).map((row) => [row.id, row]));
        return ids.map((id) => started.get(id));
      },
      { ...limits, keyOf: (id) => id },
    );
    this.additions = new Batcher<PendingAccountRequest, AddingOutcome | undefined>(
      async (batch) => this.addBatch(batch),
      { ...limits, keyOf: ({ accountId }) => accountId },
    );
  }

  override async start(id: string): Promise<PendingAccountRequest | undefined> {
    return this.starts.add(id);
  }

  override async add(request: PendingAccountRequest): Promise<AddingOutcome> {
    try {
      const outcome = this.requiresOwnTransaction(request) ? undefined : await this.additions.add(request);
      return outcome ?? (await this.addUnbatched(request));
    } catch (error) {
      if (error instanceof RequestOutdated) return 'outdated';
      throw error;
    }
  }

  override async fail({ id }: PendingAccountRequest): Promise<boolean> {
    const finished = await this.requests.finish(this.database, [
      { id, outcome: { kind: 'failed' }, retainIdempotencyKey: false },
    ]);
    return finished.has(id);
  }

  /**
   * A large request would delay the others. Two requests that charge the same days of supply must not share a commit,
   * because neither sees the other's charges.
   */
  private requiresOwnTransaction({ input }: PendingAccountRequest): boolean {
    const { transactions } = input as TransactionsInput;
    return (
      this.isLarge({ input }) || transactions.some((transaction) => chargedPeriodsOf(transaction).length > 0)
    );
  }

  private isLarge({ input }: Pick<PendingAccountRequest, 'input'>): boolean {
    return (input as TransactionsInput).transactions.length > this.policy.maxSharedTransactions;
  }

  /** Waits for its turn if it is large; organisations take turns. The next cohort does not wait for this request. */
  private async addUnbatched(request: PendingAccountRequest): Promise<AddingOutcome> {
    this.cohorts.leave(request.id);
    const add = async () => this.addAlone(request);
    return this.isLarge(request) ? this.largeRequests.run(add, { owner: request.organisationId }) : add();
  }

  /** Waits for the lock of the account. */
  private async addAlone(request: PendingAccountRequest): Promise<AddingOutcome> {
    return this.database.transaction(async (executor) => {
      const accountExists = await this.accounts.lock(executor, request.accountId);
      const [outcome] = await this.writer.add(executor, [{ request, accountExists }]);
      return outcome ?? 'outdated';
    });
  }

  /** Adds the requests whose accounts are not locked by another transaction. Each request has another account. */
  private async addBatch(batch: readonly PendingAccountRequest[]): Promise<(AddingOutcome | undefined)[]> {
    return this.database.transaction(async (executor) => {
      const accountIds = batch.map(({ accountId }) => accountId);
      const locked = await this.accounts.lockSkipLocked(executor, accountIds);
      const requests = batch.filter(({ accountId }) => locked.has(accountId));
      if (requests.length === 0) return batch.map(() => undefined);
      const outcomes = await this.writer.add(
        executor,
        requests.map((request) => ({ request, accountExists: true })),
      );
      const outcomesByRequest = new Map(requests.map((request, index) => [request, outcomes[index]]));
      return batch.map((request) => outcomesByRequest.get(request));
    });
  }
}
