import { Injectable } from '@nestjs/common';
import { type Executor, rehearse } from '@portage/platform';
import {
  type AccountLedgerChange,
  type ChargedDays,
  type LedgerSnapshot,
  type RequestedPeriod,
  type StoredTransaction,
  TransactionRepository,
} from './transaction.repository';
import { transactionStatuses } from './transaction-identity';
import { chargedPeriodsOf } from './transaction-columns';
import { findFirst, type IndexedTransaction, planLedgerChange } from './ledger-change';
import { findDifferent } from './stored-transaction';
import type { RefusedTransaction, TransactionsInput, TransactionsOutcome } from './transactions-request';

/** The transactions that a request adds to an account. */
export interface TransactionsToWrite {
  accountId: string;
  actor: string;
  input: TransactionsInput;
}

/** A request with what its account has, and the transactions of it that are new. */
interface ReadRequest extends TransactionsToWrite {
  snapshot: LedgerSnapshot;
  additions: readonly IndexedTransaction[];
  outcome: Extract<TransactionsOutcome, { kind: 'added' }>;
  /** The periods that the additions charge, and the index of the transaction of each. */
  charged: readonly { index: number; period: RequestedPeriod }[];
}

/** The outcome of a request and the changes to store for it. */
interface Plan {
  outcome: TransactionsOutcome;
  isDryRun: boolean;
  change?: AccountLedgerChange;
}

/**
 * Adds the transactions of requests within a database transaction: all of each request, or none (contract,
 * "Add transactions").
 */
@Injectable()
export class TransactionsWriter {
  constructor(private readonly transactions: TransactionRepository) {}

  /**
   * Adds the transactions of requests for different accounts of one organisation. A request that breaks a rule is refused; the
   * others are not affected. The caller holds the locks of the accounts.
   *
   * @returns the outcome of each request, in their order
   */
  async write(executor: Executor, requests: readonly TransactionsToWrite[]): Promise<TransactionsOutcome[]> {
    const snapshots = await this.transactions.ledgerSnapshots(
      executor,
      requests.map(({ accountId, input }) => ({
        accountId,
        transactionIds: input.transactions.map(({ transaction_id }) => transaction_id),
      })),
    );
    const read = requests.map((request) => readRequest(request, snapshots.get(request.accountId)));
    const charged = await this.findChargedBefore(executor, read);
    const plans = read.map((request) => plan(request, charged.get(request.accountId)));
    const changesOf = (isDryRun: boolean) =>
      plans.filter((one) => one.isDryRun === isDryRun).flatMap(({ change }) => change ?? []);
    const dryRuns = changesOf(true);
    if (dryRuns.length > 0) await rehearse(executor, async () => this.transactions.add(executor, dryRuns));
    const added = changesOf(false);
    if (added.length > 0) await this.transactions.add(executor, added);
    return plans.map(({ outcome }) => outcome);
  }

  /** The rule `line_items_overlap_already_charged_period`: a day of supply is charged once. Refused requests by account. */
  private async findChargedBefore(
    executor: Executor,
    requests: readonly ReadRequest[],
  ): Promise<Map<string, RefusedTransaction>> {
    const lines = requests.flatMap(({ charged }) => charged);
    const overlaps = await this.transactions.findFirstCharged(
      executor,
      lines.map(({ period }) => period),
    );
    return new Map(
      overlaps.flatMap((overlap) => {
        const line = lines[overlap.index];
        return line ? [[overlap.accountId, buildCharged(line, overlap)]] : [];
      }),
    );
  }
}

function readRequest(request: TransactionsToWrite, snapshot: LedgerSnapshot = NO_LEDGERS): ReadRequest {
  const { accountId, input } = request;
  const { transactions, checkPreviouslyAdded } = input;
  const existingIds = snapshot.existing.map(({ transactionId }: StoredTransaction) => transactionId);
  const statuses = transactionStatuses(transactions, existingIds, checkPreviouslyAdded);
  const indexed = transactions.map((transaction, index) => ({ index, transaction }));
  const isNew = ({ index }: IndexedTransaction) => statuses[index] === 'TRANSACTION_ADDED_TO_ACCOUNT';
  const additions = indexed.filter(isNew);
  const existing = indexed.filter((transaction) => !isNew(transaction)).map(({ index }) => index);
  const different = findDifferent(transactions, existing, snapshot.existing);
  const stored = new Set(existingIds);
  const charged = additions.flatMap(({ index, transaction }) =>
    chargedPeriodsOf(transaction).map((period) => ({
      index,
      // A transaction that is added again on purpose does not conflict with its own first charge.
      period: { ...period, accountId, isRepeated: stored.has(transaction.transaction_id) },
    })),
  );
  const outcome = { kind: 'added' as const, existing, ...(different.length > 0 && { different }) };
  return { ...request, snapshot, additions, outcome, charged };
}

const NO_LEDGERS: LedgerSnapshot = { ledgers: [], existing: [] };

function plan(
  { accountId, actor, input, snapshot, additions, outcome }: ReadRequest,
  charged: RefusedTransaction | undefined,
): Plan {
  const { isDryRun, forceAddToCurrentStatement } = input;
  if (additions.length === 0) return { outcome, isDryRun };
  const planned = planLedgerChange(additions, snapshot.ledgers, forceAddToCurrentStatement);
  const refused = findFirst([planned.ok ? undefined : planned.refused, charged]);
  if (refused || !planned.ok)
    return { outcome: { kind: 'refused', ...(refused as RefusedTransaction) }, isDryRun };
  const { change, moved } = planned;
  return {
    outcome: Object.keys(moved).length > 0 ? { ...outcome, moved } : outcome,
    isDryRun,
    change: { accountId, actor, ...change },
  };
}

function buildCharged(
  { index, period }: ReadRequest['charged'][number],
  { start, end }: ChargedDays,
): RefusedTransaction {
  return {
    index,
    code: 'line_items_overlap_already_charged_period',
    detail: `"${period.supplyPointIdentifier}" has been charged from ${start} to ${end} already.`,
  };
}
