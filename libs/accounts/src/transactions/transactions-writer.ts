import { Injectable } from '@nestjs/common';
import type { Executor } from '@portage/platform';
import {
  type AccountLedgerChange,
  type LedgerSnapshot,
  TransactionRepository,
} from './transaction.repository';
import { AccountRequestRepository, type PendingAccountRequest } from '../requests/account-request.repository';
import { transactionStatuses } from './transaction-identity';
import { chargedPeriodsOf } from './transaction-columns';
import { findFirst, type IndexedTransaction, planLedgerChange } from './ledger-change';
import { findDifferent } from './stored-transaction';
import type { RefusedTransaction, TransactionsInput, TransactionsOutcome } from './transactions-request';

/** Another worker has finished a request; the transaction must not commit. */
export class RequestOutdated extends Error {
  override readonly name = 'RequestOutdated';
}

/** A request whose account is locked, if it still exists. */
export interface LockedRequest {
  request: PendingAccountRequest;
  /** False if the account was erased after the request was stored. */
  accountExists: boolean;
}

/** The outcome of a request and the changes to store for it. */
interface Plan {
  request: PendingAccountRequest;
  outcome: TransactionsOutcome;
  change?: AccountLedgerChange;
}

/**
 * Adds the transactions of requests within a database transaction: all of each request, or none (contract,
 * "Add transactions").
 */
@Injectable()
export class TransactionsWriter {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly transactions: TransactionRepository,
  ) {}

  /**
   * Adds the transactions of requests for different accounts, and stores the outcomes. A request that breaks a rule is
   * refused; the others are not affected.
   *
   * @throws RequestOutdated if another worker has finished any of the requests: the transaction must not commit
   */
  async add(executor: Executor, requests: readonly LockedRequest[]): Promise<TransactionsOutcome['kind'][]> {
    const present = requests.filter(({ accountExists }) => accountExists);
    const snapshots = await this.transactions.ledgerSnapshots(
      executor,
      present.map(({ request: { accountId, input } }) => ({
        accountId,
        transactionIds: (input as TransactionsInput).transactions.map(({ transaction_id }) => transaction_id),
      })),
    );
    const plans: Plan[] = [];
    for (const { request } of requests)
      plans.push(await this.plan(executor, request, snapshots.get(request.accountId)));
    await this.write(executor, plans);
    const stored = await this.requests.finish(
      executor,
      // A refused request changed nothing: the client may correct it and send it again with the same key.
      plans.map(({ request: { id }, outcome }) => ({
        id,
        outcome,
        retainIdempotencyKey: outcome.kind === 'added',
      })),
    );
    if (stored.size < plans.length) throw new RequestOutdated();
    return plans.map(({ outcome }) => outcome.kind);
  }

  private async write(executor: Executor, plans: readonly Plan[]): Promise<void> {
    const changesOf = (isDryRun: boolean) =>
      plans
        .filter(({ request }) => (request.input as TransactionsInput).isDryRun === isDryRun)
        .flatMap(({ change }) => change ?? []);
    const dryRuns = changesOf(true);
    if (dryRuns.length > 0) await this.transactions.dryRun(executor, dryRuns);
    const added = changesOf(false);
    if (added.length > 0) await this.transactions.add(executor, added);
  }

  /** @param snapshot undefined where the account has been erased */
  private async plan(
    executor: Executor,
    request: PendingAccountRequest,
    snapshot: LedgerSnapshot | undefined,
  ): Promise<Plan> {
    if (!snapshot) return { request, outcome: { kind: 'failed' } };
    const { accountId, actor, input } = request;
    const { transactions, checkPreviouslyAdded, forceAddToCurrentStatement } = input as TransactionsInput;
    const { ledgers, existing } = snapshot;
    const existingIds = existing.map(({ transactionId }) => transactionId);
    const statuses = transactionStatuses(transactions, existingIds, checkPreviouslyAdded);
    const indexed = transactions.map((transaction, index) => ({ index, transaction }));
    const isNew = ({ index }: IndexedTransaction) => statuses[index] === 'TRANSACTION_ADDED_TO_ACCOUNT';
    const additions = indexed.filter(isNew);
    const existingIndexes = indexed.filter((transaction) => !isNew(transaction)).map(({ index }) => index);
    const different = findDifferent(transactions, existingIndexes, existing);
    const outcome: TransactionsOutcome = {
      kind: 'added',
      existing: existingIndexes,
      ...(different.length > 0 && { different }),
    };
    if (additions.length === 0) return { request, outcome };

    const planned = planLedgerChange(additions, ledgers, forceAddToCurrentStatement);
    const stored = new Set(existingIds);
    const charged = await this.findChargedBefore(executor, accountId, additions, stored);
    const refused = findFirst([planned.ok ? undefined : planned.refused, charged]);
    if (refused || !planned.ok)
      return { request, outcome: { kind: 'refused', ...(refused as RefusedTransaction) } };
    const { change, moved } = planned;
    return {
      request,
      outcome: Object.keys(moved).length > 0 ? { ...outcome, moved } : outcome,
      change: { accountId, actor, ...change },
    };
  }

  /** The rule `line_items_overlap_already_charged_period`: a day of supply is charged once. */
  private async findChargedBefore(
    executor: Executor,
    accountId: string,
    additions: readonly IndexedTransaction[],
    stored: ReadonlySet<string>,
  ): Promise<RefusedTransaction | undefined> {
    const lines = additions.flatMap(({ index, transaction }) =>
      chargedPeriodsOf(transaction).map((period) => ({
        index,
        // A transaction that is added again on purpose does not conflict with its own first charge.
        period: { ...period, isRepeated: stored.has(transaction.transaction_id) },
      })),
    );
    if (lines.length === 0) return undefined;
    const overlap = await this.transactions.findFirstCharged(
      executor,
      accountId,
      lines.map(({ period }) => period),
    );
    const line = overlap && lines[overlap.index];
    if (!line) return undefined;
    const point = line.period.supplyPointIdentifier;
    return {
      index: line.index,
      code: 'line_items_overlap_already_charged_period',
      detail: `"${point}" has been charged from ${overlap.start} to ${overlap.end} already.`,
    };
  }
}
