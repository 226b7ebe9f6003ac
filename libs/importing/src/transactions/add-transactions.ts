import { Injectable } from '@nestjs/common';
import {
  AccountRequestRepository,
  Database,
  type Executor,
  ImportedAccountRepository,
  type PendingAccountRequest,
  TransactionRepository,
} from '@portage/database';
import { transactionStatuses } from '@portage/domain';
import { Logger } from '@portage/observability';
import { chargedPeriodsOf } from '../account/new-account/ledgers';
import { isTransient } from '../transient-failure';
import { firstOf, newPosting, type Numbered } from './new-posting';
import type { RefusedTransaction, TransactionsInput, TransactionsOutcome } from './transactions-work';

/** How a job ended. `outdated`: the request had been done, so the job did nothing. */
export type AddingOutcome = TransactionsOutcome['kind'] | 'outdated';

/** A request that was started so often without coming to an end brings its workers down. */
const MOST_STARTS = 25;

const OUTDATED = Symbol('outdated');

/** The worker's half of a transactions request: adds all of its transactions, or none (contract 4.3). */
@Injectable()
export class AddTransactions {
  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly transactions: TransactionRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Safe to repeat and to run twice at once: transactions, balance, note and outcome are one commit, which only the
   * first one reaches.
   *
   * The open statement period is the one that is stored. Where it has ended and the scheduled job has not yet closed
   * it, transactions still go into it: the answer does not depend on the minute.
   *
   * @throws what is transient, for the queue to try again
   */
  async run(requestId: string): Promise<AddingOutcome> {
    const request = await this.requests.pending(requestId, 'transactions');
    if (!request) return 'outdated';
    try {
      if (request.attempt > MOST_STARTS)
        throw new RangeError(`Started ${MOST_STARTS} times without an outcome.`);
      return await this.workOn(request);
    } catch (error) {
      if (error === OUTDATED) return 'outdated';
      if (isTransient(error)) throw error;
      this.logger.failure('Transactions could not be added.', { error });
      const isStored = await this.requests.finish(this.database, requestId, { kind: 'failed' }, false);
      return isStored ? 'failed' : 'outdated';
    }
  }

  private async workOn({ id, accountId, input }: PendingAccountRequest): Promise<AddingOutcome> {
    return this.database.transaction(async (executor) => {
      const isThere = await this.accounts.lock(executor, accountId);
      // Erased in the moment in which the request was stored.
      const outcome: TransactionsOutcome = isThere
        ? await this.add(executor, accountId, input as TransactionsInput)
        : { kind: 'failed' };
      // What was refused changed nothing: mended, it may be sent again under the same key.
      const isStored = await this.requests.finish(executor, id, outcome, outcome.kind === 'added');
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- not an error: it ends the transaction
      if (!isStored) throw OUTDATED;
      return outcome.kind;
    });
  }

  private async add(
    executor: Executor,
    accountId: string,
    input: TransactionsInput,
  ): Promise<TransactionsOutcome> {
    const { transactions, checkPreviouslyAdded, forceAddToCurrentStatement, isDryRun } = input;
    const ids = transactions.map(({ transaction_id }) => transaction_id);
    const { ledgers, existing } = await this.transactions.ground(executor, accountId, ids);
    const statuses = transactionStatuses(transactions, existing, checkPreviouslyAdded);
    const numbered = transactions.map((transaction, index) => ({ index, transaction }));
    const isNew = ({ index }: Numbered) => statuses[index] === 'TRANSACTION_ADDED_TO_ACCOUNT';
    const additions = numbered.filter(isNew);
    const outcome: TransactionsOutcome = {
      kind: 'added',
      existing: numbered.filter((one) => !isNew(one)).map(({ index }) => index),
    };
    if (additions.length === 0) return outcome;

    const placed = newPosting(additions, ledgers, forceAddToCurrentStatement);
    const had = new Set(existing);
    // One that is added again on purpose is not held against its own first time.
    const firstTime = additions.filter(({ transaction }) => !had.has(transaction.transaction_id));
    const charged = await this.chargedAlready(executor, accountId, firstTime);
    const refused = firstOf([placed.ok ? undefined : placed.refused, charged]);
    if (refused || !placed.ok) return { kind: 'refused', ...(refused as RefusedTransaction) };
    if (isDryRun) await this.transactions.rehearse(executor, accountId, placed.posting);
    else await this.transactions.post(executor, accountId, placed.posting);
    return outcome;
  }

  /** The rule `line_items_overlap_already_charged_period`, for what is new: a day of supply is charged once. */
  private async chargedAlready(
    executor: Executor,
    accountId: string,
    additions: readonly Numbered[],
  ): Promise<RefusedTransaction | undefined> {
    const lines = additions.flatMap(({ index, transaction }) =>
      chargedPeriodsOf(transaction).map((period) => ({ index, period })),
    );
    if (lines.length === 0) return undefined;
    const clash = await this.transactions.firstCharged(
      executor,
      accountId,
      lines.map(({ period }) => period),
    );
    const line = clash && lines[clash.index];
    if (!line) return undefined;
    const point = line.period.supply_point_identifier;
    return {
      index: line.index,
      code: 'line_items_overlap_already_charged_period',
      detail: `"${point}" has been charged from ${clash.start} to ${clash.end} already.`,
    };
  }
}
