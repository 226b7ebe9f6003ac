import { type Money, readMoney } from '../money/money';

/** The kinds of transactions (contract 2.5). */
export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** What a balance looks at in a transaction. */
export interface BalanceEntry {
  readonly type: TransactionType;
  /** Decimal text. Below zero in a charge or credit that takes one back. */
  readonly amount: string;
  readonly to_prepay_meter_serial_number?: string | null;
}

const DIRECTIONS: Readonly<Record<TransactionType, 1n | -1n>> = {
  PAYMENT: 1n,
  CREDIT: 1n,
  CHARGE: -1n,
  REPAYMENT: -1n,
  SUPPLY_CHARGE: -1n,
};

/**
 * What a transaction does to the balance of its ledger. A balance above zero is in favour of the customer, below zero
 * is owed: so the account's own balances have it, and the rules `balance_mismatch_on_transfer_balance` and
 * `balance_mismatch_on_ledger_balance` hold them against these very effects. Money that was sent to a prepayment
 * meter is on the meter and leaves the balance alone.
 *
 * @throws RangeError where `amount` is no amount, which validation has ruled out
 */
export function effectOnBalance({ type, amount, to_prepay_meter_serial_number }: BalanceEntry): Money {
  const read = readMoney(amount);
  if (read === undefined) throw new RangeError('An amount has at most ten digits, and two decimals.');
  return to_prepay_meter_serial_number ? 0n : DIRECTIONS[type] * read;
}

/** The balance once transactions are added to it, in whatever order. */
export function balanceAfter(balance: Money, transactions: Iterable<BalanceEntry>): Money {
  let after = balance;
  for (const transaction of transactions) after += effectOnBalance(transaction);
  return after;
}
