import type { Transaction } from '@portage/account-schema';
import { formatMoney, type LocalDate, type Money, parseMoney } from '@portage/platform';
import type { LedgerChange, NewTransaction, OpenLedger } from './transaction.repository';
import { adjust } from './adjustment';
import { BALANCE_DIGITS, effectOnBalance } from './balance';
import { chargedPeriodsOf, transactionColumns } from './transaction-columns';
import type { RefusedTransaction } from './transactions-request';

/** A transaction to add, and its index in the request. */
export interface IndexedTransaction {
  index: number;
  transaction: Transaction;
}

/** The range of a stored balance, in hundredths. */
const BALANCE_LIMIT: Money = 10n ** 14n;

/**
 * Plans the addition of transactions to an account: each goes into the open statement period of its ledger. If it is
 * dated outside of the period and `force` is true, its date is moved to the nearer end (contract, "Add transactions").
 *
 * @param ledgers the current state, at least one ledger
 * @returns the change to store, and the indexes of the moved transactions by their new date; or the first transaction of the request that cannot be added
 */
export function planLedgerChange(
  additions: readonly IndexedTransaction[],
  ledgers: readonly OpenLedger[],
  force: boolean,
):
  | { ok: true; change: LedgerChange; moved: Record<LocalDate, number[]> }
  | { ok: false; refused: RefusedTransaction } {
  const refusals: RefusedTransaction[] = [];
  const notes: string[] = [];
  const effects: LedgerChange['effects'][number][] = [];
  const rows: { index: number; row: NewTransaction }[] = [];
  for (const [ledger, ledgerAdditions] of groupByLedger(additions, ledgers)) {
    const transactions = ledgerAdditions.map(({ transaction }) => transaction);
    const adjusted = adjust(transactions, ledger, force);
    const { effect, outOfRange } = sumEffects(ledger, ledgerAdditions);
    if (outOfRange) refusals.push(outOfRange);
    if (!adjusted.ok) {
      const code = 'transaction_outside_open_statement_period';
      refusals.push({ index: indexOf(ledgerAdditions, adjusted.index), code, detail: adjusted.detail });
      continue;
    }
    if (adjusted.note !== null) notes.push(adjusted.note);
    effects.push({ position: ledger.position, effect: formatMoney(effect) });
    for (const [
      position,
      { transaction, date, originalDate, explanation },
    ] of adjusted.transactions.entries()) {
      // No spread: it takes as long as the rest of this loop.
      const { transactionId, type, amount, reason, details } = transactionColumns(transaction);
      rows.push({
        index: indexOf(ledgerAdditions, position),
        row: {
          ledgerPosition: ledger.position,
          periodPosition: ledger.periodPosition,
          transactionId,
          type,
          amount,
          transactionDate: date,
          originalDate,
          adjustment: explanation,
          reason,
          details,
        },
      });
    }
  }
  const refused = findFirst(refusals);
  if (refused) return { ok: false, refused };
  const change = {
    // In the order of the request, across ledgers.
    transactions: rows.sort((a, b) => a.index - b.index).map(({ row }) => row),
    chargedPeriods: additions.flatMap(({ transaction }) => chargedPeriodsOf(transaction)),
    effects,
    note: notes.length > 0 ? notes.join('\n\n') : null,
  };
  return { ok: true, change, moved: groupMoved(rows) };
}

function groupMoved(rows: readonly { index: number; row: NewTransaction }[]): Record<LocalDate, number[]> {
  const moved: Record<LocalDate, number[]> = {};
  for (const { index, row } of rows)
    if (row.originalDate !== null) (moved[row.transactionDate] ??= []).push(index);
  return moved;
}

/** Finds the refusal of the earliest transaction in the request. */
export function findFirst(
  refusals: readonly (RefusedTransaction | undefined)[],
): RefusedTransaction | undefined {
  return refusals.reduce(
    (first, refused) => (refused && (!first || refused.index < first.index) ? refused : first),
    undefined,
  );
}

/** A supply charge goes to the ledger that its supply point is billed to; other transactions go to the first. */
function groupByLedger(
  additions: readonly IndexedTransaction[],
  ledgers: readonly OpenLedger[],
): Map<OpenLedger, IndexedTransaction[]> {
  const [first] = ledgers;
  if (!first) throw new Error('The account has no ledger with an open statement period.');
  const billed = new Map(
    [...ledgers].reverse().flatMap((ledger) => ledger.identifiers.map((point) => [point, ledger])),
  );
  const groups = new Map<OpenLedger, IndexedTransaction[]>();
  for (const addition of additions) {
    const { transaction } = addition;
    const point = transaction.type === 'SUPPLY_CHARGE' ? transaction.supply_point_identifier : undefined;
    const ledger = (point === undefined ? undefined : billed.get(point)) ?? first;
    const group = groups.get(ledger);
    if (group) group.push(addition);
    else groups.set(ledger, [addition]);
  }
  return groups;
}

/**
 * The sum of the effects on the balance, and the refusal of the first transaction that would take the balance out of the
 * range that is stored exactly.
 */
function sumEffects(
  ledger: OpenLedger,
  ledgerAdditions: readonly IndexedTransaction[],
): { effect: Money; outOfRange: RefusedTransaction | undefined } {
  const before = parseMoney(ledger.balance, BALANCE_DIGITS) ?? 0n;
  let effect: Money = 0n;
  let firstOutOfRange: IndexedTransaction | undefined;
  for (const addition of ledgerAdditions) {
    effect += effectOnBalance(addition.transaction);
    if (!isInRange(before + effect)) firstOutOfRange ??= addition;
  }
  if (isInRange(before + effect) || !firstOutOfRange) return { effect, outOfRange: undefined };
  const detail = `The balance of the ledger would have more than ${BALANCE_DIGITS} digits before the point.`;
  return {
    effect,
    outOfRange: { index: firstOutOfRange.index, code: 'ledger_balance_out_of_range', detail },
  };
}

function isInRange(balance: Money): boolean {
  return balance < BALANCE_LIMIT && balance > -BALANCE_LIMIT;
}

function indexOf(ledgerAdditions: readonly IndexedTransaction[], position: number): number {
  return ledgerAdditions[position]?.index ?? position;
}
