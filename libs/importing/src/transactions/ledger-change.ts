import type { Transaction } from '@portage/account-schema';
import type { NewTransaction, OpenLedger, LedgerChange } from '@portage/database';
import { adjust, balanceAfter, effectOnBalance, formatMoney, type Money, readMoney } from '@portage/domain';
import { chargedPeriodsOf, transactionColumns } from '../account/new-account/ledgers';
import type { RefusedTransaction } from './transactions-work';

/** A transaction that is to be added, and its place in the request. */
export interface IndexedTransaction {
  index: number;
  transaction: Transaction;
}

/** What a ledger's balance can hold: twelve digits before the point. */
const BALANCE_DIGITS = 12;
const BALANCE_LIMIT: Money = 10n ** 14n;

/**
 * What adding transactions means for an account: each goes into the open statement period of its ledger, moved to
 * the nearer end where it is dated outside and `force` is true (contract 4.3).
 *
 * @param ledgers as they are, at least one
 * @returns what to store; or the first transaction that cannot be added, by its place in the request
 */
export function planLedgerChange(
  additions: readonly IndexedTransaction[],
  ledgers: readonly OpenLedger[],
  force: boolean,
): { ok: true; posting: LedgerChange } | { ok: false; refused: RefusedTransaction } {
  const refusals: RefusedTransaction[] = [];
  const notes: string[] = [];
  const effects: LedgerChange['effects'][number][] = [];
  const rows: { index: number; row: NewTransaction }[] = [];
  for (const [ledger, own] of byLedger(additions, ledgers)) {
    const transactions = own.map(({ transaction }) => transaction);
    const adjusted = adjust(transactions, ledger, force);
    const tooMuch = firstBeyondBalance(ledger, own);
    if (tooMuch) refusals.push(tooMuch);
    if (!adjusted.ok) {
      const code = 'transaction_outside_open_statement_period';
      refusals.push({ index: placeOf(own, adjusted.index), code, detail: adjusted.detail });
      continue;
    }
    if (adjusted.note !== null) notes.push(adjusted.note);
    effects.push({ position: ledger.position, effect: formatMoney(balanceAfter(0n, transactions)) });
    for (const [at, { transaction, date, originalDate, explanation }] of adjusted.transactions.entries())
      rows.push({
        index: placeOf(own, at),
        row: {
          // V8 is ten times as slow where members are added after those of another object.
          ledgerPosition: ledger.position,
          periodPosition: ledger.periodPosition,
          originalDate,
          adjustment: explanation,
          ...transactionColumns(transaction),
          transactionDate: date,
        },
      });
  }
  const refused = firstOf(refusals);
  if (refused) return { ok: false, refused };
  const posting = {
    // In the order of the request, whatever ledgers they are on.
    transactions: rows.sort((a, b) => a.index - b.index).map(({ row }) => row),
    chargedPeriods: additions.flatMap(({ transaction }) => chargedPeriodsOf(transaction)),
    effects,
    note: notes.length > 0 ? notes.join('\n\n') : null,
  };
  return { ok: true, posting };
}

/** The refusal that stands first in the request. */
export function firstOf(
  refusals: readonly (RefusedTransaction | undefined)[],
): RefusedTransaction | undefined {
  return refusals.reduce(
    (first, refused) => (refused && (!first || refused.index < first.index) ? refused : first),
    undefined,
  );
}

/** A charge for supply goes on the ledger that its supply point is billed to; everything else on the first. */
function byLedger(
  additions: readonly IndexedTransaction[],
  ledgers: readonly OpenLedger[],
): Map<OpenLedger, IndexedTransaction[]> {
  const [first] = ledgers;
  if (!first) throw new Error('The account has no ledger with an open statement period.');
  const billed = new Map(
    [...ledgers].reverse().flatMap((ledger) => ledger.identifiers.map((point) => [point, ledger])),
  );
  const groups = new Map<OpenLedger, IndexedTransaction[]>();
  for (const one of additions) {
    const { transaction } = one;
    const point = transaction.type === 'SUPPLY_CHARGE' ? transaction.supply_point_identifier : undefined;
    const ledger = (point === undefined ? undefined : billed.get(point)) ?? first;
    const group = groups.get(ledger);
    if (group) group.push(one);
    else groups.set(ledger, [one]);
  }
  return groups;
}

/** The balance is kept exactly or not at all. */
function firstBeyondBalance(
  ledger: OpenLedger,
  own: readonly IndexedTransaction[],
): RefusedTransaction | undefined {
  let balance = readMoney(ledger.balance, BALANCE_DIGITS) ?? 0n;
  let beyond: IndexedTransaction | undefined;
  for (const one of own) {
    balance += effectOnBalance(one.transaction);
    if (!isHeld(balance)) beyond ??= one;
  }
  if (isHeld(balance) || !beyond) return undefined;
  const detail = `The balance of the ledger would have more than ${BALANCE_DIGITS} digits before the point.`;
  return { index: beyond.index, code: 'ledger_balance_out_of_range', detail };
}

function isHeld(balance: Money): boolean {
  return balance < BALANCE_LIMIT && balance > -BALANCE_LIMIT;
}

function placeOf(own: readonly IndexedTransaction[], at: number): number {
  return own[at]?.index ?? at;
}
