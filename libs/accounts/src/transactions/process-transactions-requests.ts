import { Injectable } from '@nestjs/common';
import { Database, type Executor, Logger, runBatch } from '@portage/platform';
import { AccountRequestRepository, type PendingAccountRequest } from '../requests/account-request.repository';
import { ImportedAccountRepository } from '../account/imported-account.repository';
import { isTransient } from '../requests/transient-failure';
import { mayShareCommit, type TransactionsInput, type TransactionsOutcome } from './transactions-request';
import { TransactionsWriter } from './transactions-writer';

/** The result of a request. `outdated`: the request was finished already, so nothing was stored. */
export type AddingOutcome = TransactionsOutcome['kind'] | 'outdated';

/** The result of a request, or undefined if another transaction has locked its account, or the account was erased. */
type SharedOutcome = AddingOutcome | undefined;

/** Another worker has finished a request; the transaction must not commit. */
class RequestOutdated extends Error {
  override readonly name = 'RequestOutdated';
}

/** Attempts of one request. A request that exceeds them probably crashes its workers, so it is failed. */
const MAX_ATTEMPTS = 25;

/**
 * The worker's half of transactions requests: adds all transactions of each request, or none (contract,
 * "Add transactions").
 */
@Injectable()
export class ProcessTransactionsRequests {
  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly writer: TransactionsWriter,
    private readonly logger: Logger,
  ) {}

  /**
   * Safe to repeat and to run concurrently: transactions, balance, note and outcome of a request are one commit, which
   * only the first run reaches. Small requests for different accounts share the commit. If it fails because of one of
   * them, they are repeated one by one, so that each has its own outcome.
   *
   * Transactions go into the stored open statement period, even if its end has passed and the scheduled job has not
   * closed it yet: the answer does not depend on when that job runs.
   *
   * @returns the result of each request, in the order of `ids`; rejected with a transient failure, which the queue
   * retries
   */
  async run(ids: readonly string[]): Promise<PromiseSettledResult<AddingOutcome>[]> {
    const started = await this.requests.start(ids, 'transactions');
    const added = await this.addAll(started.filter(({ attempt }) => attempt <= MAX_ATTEMPTS));
    const outcomes = await Promise.allSettled(
      started.map(async (request) => this.conclude(request, added.get(request))),
    );
    const outcomesById = new Map(started.map(({ id }, index) => [id, outcomes[index]]));
    return ids.map((id) => outcomesById.get(id) ?? { status: 'fulfilled', value: 'outdated' });
  }

  /** Requests that cannot share a commit, or whose account is locked, are added after the others, each on its own. */
  private async addAll(
    requests: readonly PendingAccountRequest[],
  ): Promise<Map<PendingAccountRequest, PromiseSettledResult<SharedOutcome>>> {
    const add = async (batch: readonly PendingAccountRequest[]) => this.add(batch);
    const sharing = selectSharing(requests);
    const shared = await runBatch(sharing, add);
    const results = new Map(sharing.map((request, index) => [request, shared[index]]));
    const addAlone = async (request: PendingAccountRequest) => {
      const [result] = await runBatch([request], add);
      return [request, result] as const;
    };
    const isOpen = (request: PendingAccountRequest) => {
      const result = results.get(request);
      return !result || (result.status === 'fulfilled' && result.value === undefined);
    };
    for (const [request, result] of await Promise.all(requests.filter(isOpen).map(addAlone)))
      results.set(request, result);
    return results as Map<PendingAccountRequest, PromiseSettledResult<SharedOutcome>>;
  }

  /** Adds the transactions of requests for different accounts in one database transaction. */
  private async add(requests: readonly PendingAccountRequest[]): Promise<SharedOutcome[]> {
    return this.database.transaction(async (executor) => {
      const living = await this.accounts.lockAll(
        executor,
        requests.map(({ accountId }) => accountId),
      );
      const isAlone = requests.length === 1;
      const locked = requests.filter(({ accountId }) => living.has(accountId));
      // The account of a single request has been erased since the request was stored.
      const gone = isAlone ? requests.filter(({ accountId }) => !living.has(accountId)) : [];
      const written = await this.writer.write(
        executor,
        locked.map(({ accountId, actor, input }) => ({
          accountId,
          actor,
          input: input as TransactionsInput,
        })),
      );
      const outcomes = new Map<PendingAccountRequest, TransactionsOutcome>([
        ...locked.map((request, index) => [request, written[index] as TransactionsOutcome] as const),
        ...gone.map((request) => [request, { kind: 'failed' }] as const),
      ]);
      await this.finish(executor, outcomes);
      return requests.map((request) => outcomes.get(request)?.kind);
    });
  }

  /** @throws RequestOutdated if another worker has finished any of the requests: the transaction must not commit */
  private async finish(
    executor: Executor,
    outcomes: ReadonlyMap<PendingAccountRequest, TransactionsOutcome>,
  ): Promise<void> {
    if (outcomes.size === 0) return;
    const finished = await this.requests.finish(
      executor,
      // A refused request changed nothing: the client may correct it and send it again with the same key.
      [...outcomes].map(([{ id }, outcome]) => ({
        id,
        outcome,
        retainIdempotencyKey: outcome.kind === 'added',
      })),
    );
    if (finished.size < outcomes.size) throw new RequestOutdated();
  }

  /**
   * The result of a request. Ends one whose transactions cannot be added because of a fault of the service.
   *
   * @param added undefined if the request was started too often, so that it was not tried again
   * @throws transient failures
   */
  private async conclude(
    { id }: PendingAccountRequest,
    added: PromiseSettledResult<SharedOutcome> | undefined,
  ): Promise<AddingOutcome> {
    if (added?.status === 'fulfilled') return added.value ?? 'outdated';
    const error: unknown = added
      ? added.reason
      : new RangeError(`Started ${MAX_ATTEMPTS} times without an outcome.`);
    if (error instanceof RequestOutdated) return 'outdated';
    if (isTransient(error)) throw error;
    this.logger.error('Transactions could not be added.', { error });
    const finished = await this.requests.finish(this.database, [
      { id, outcome: { kind: 'failed' }, retainIdempotencyKey: false },
    ]);
    return finished.has(id) ? 'failed' : 'outdated';
  }
}

/** The requests that share a database transaction: small ones, one for each account. */
function selectSharing(requests: readonly PendingAccountRequest[]): PendingAccountRequest[] {
  const accountIds = new Set<string>();
  return requests.filter(({ accountId, input }) => {
    if (accountIds.has(accountId) || !mayShareCommit((input as TransactionsInput).transactions)) return false;
    accountIds.add(accountId);
    return true;
  });
}
