import { Injectable } from '@nestjs/common';
import {
  type AccountLedgerChange,
  AccountRequestRepository,
  type Executor,
  type PendingAccountRequest,
  type LedgerSnapshot,
  TransactionRepository,
} from '@portage/database';
import { transactionStatuses } from '@portage/domain';
import { chargedPeriodsOf } from '../account/new-account/ledgers';
import { firstOf, planLedgerChange, type IndexedTransaction } from './ledger-change';
import type { RefusedTransaction, TransactionsInput, TransactionsOutcome } from './transactions-work';

/** Somebody else has done a request in the meantime. */
export const OUTDATED = Symbol('outdated');

/** A request whose account nobody else changes meanwhile, if it is still there. */
export interface LockedRequest {
  request: PendingAccountRequest;
  /** Otherwise it was erased in the moment in which the request was stored. */
  accountExists: boolean;
}

/** What is to become of a request. */
interface Plan {
  request: PendingAccountRequest;
  outcome: TransactionsOutcome;
  posting?: AccountLedgerChange;
}

/** What the transaction does that adds to accounts: all of each request's transactions, or none (contract 4.3). */
@Injectable()
export class TransactionsWriter {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly transactions: TransactionRepository,
  ) {}

  /**
   * Adds the transactions of each request, or none, and stores the outcomes.
   *
   * @throws OUTDATED when any of the requests has been done: nothing may be committed
   */
  async add(executor: Executor, requests: readonly LockedRequest[]): Promise<TransactionsOutcome['kind'][]> {
    const present = requests.filter(({ accountExists }) => accountExists);
    const grounds = await this.transactions.ledgerSnapshots(
      executor,
      present.map(({ request: { accountId, input } }) => ({
        accountId,
        transactionIds: (input as TransactionsInput).transactions.map((one) => one.transaction_id),
      })),
    );
    const plans: Plan[] = [];
    for (const { request } of requests)
      plans.push(await this.plan(executor, request, grounds.get(request.accountId)));
    await this.write(executor, plans);
    const stored = await this.requests.finish(
      executor,
      // What was refused changed nothing: mended, it may be sent again under the same key.
      plans.map(({ request: { id }, outcome }) => ({
        id,
        outcome,
        retainIdempotencyKey: outcome.kind === 'added',
      })),
    );
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- not an error: it ends the transaction
    if (stored.size < plans.length) throw OUTDATED;
    return plans.map(({ outcome }) => outcome.kind);
  }

  private async write(executor: Executor, plans: readonly Plan[]): Promise<void> {
    const postingsOf = (isDryRun: boolean) =>
      plans
        .filter(({ request }) => (request.input as TransactionsInput).isDryRun === isDryRun)
        .flatMap(({ posting }) => posting ?? []);
    const rehearsed = postingsOf(true);
    if (rehearsed.length > 0) await this.transactions.rehearse(executor, rehearsed);
    const posted = postingsOf(false);
    if (posted.length > 0) await this.transactions.add(executor, posted);
  }

  /** @param ground undefined where the account is not there any more */
  private async plan(
    executor: Executor,
    request: PendingAccountRequest,
    ground: LedgerSnapshot | undefined,
  ): Promise<Plan> {
    if (!ground) return { request, outcome: { kind: 'failed' } };
    const { accountId, input } = request;
    const { transactions, checkPreviouslyAdded, forceAddToCurrentStatement } = input as TransactionsInput;
    const { ledgers, existing } = ground;
    const statuses = transactionStatuses(transactions, existing, checkPreviouslyAdded);
    const numbered = transactions.map((transaction, index) => ({ index, transaction }));
    const isNew = ({ index }: IndexedTransaction) => statuses[index] === 'TRANSACTION_ADDED_TO_ACCOUNT';
    const additions = numbered.filter(isNew);
    const outcome: TransactionsOutcome = {
      kind: 'added',
      existing: numbered.filter((one) => !isNew(one)).map(({ index }) => index),
    };
    if (additions.length === 0) return { request, outcome };

    const placed = planLedgerChange(additions, ledgers, forceAddToCurrentStatement);
    const had = new Set(existing);
    // One that is added again on purpose is not held against its own first time.
    const firstTime = additions.filter(({ transaction }) => !had.has(transaction.transaction_id));
    const charged = await this.chargedAlready(executor, accountId, firstTime);
    const refused = firstOf([placed.ok ? undefined : placed.refused, charged]);
    if (refused || !placed.ok)
      return { request, outcome: { kind: 'refused', ...(refused as RefusedTransaction) } };
    return { request, outcome, posting: { accountId, ...placed.posting } };
  }

  /** The rule `line_items_overlap_already_charged_period`, for what is new: a day of supply is charged once. */
  private async chargedAlready(
    executor: Executor,
    accountId: string,
    additions: readonly IndexedTransaction[],
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
    const point = line.period.supplyPointIdentifier;
    return {
      index: line.index,
      code: 'line_items_overlap_already_charged_period',
      detail: `"${point}" has been charged from ${clash.start} to ${clash.end} already.`,
    };
  }
}
