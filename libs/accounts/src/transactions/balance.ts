import { type Money, parseMoney } from '@portage/platform';

/** The types of transactions (contract, "Transaction"). */
export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The fields of a transaction that affect a balance. */
export interface BalanceEntry {
  readonly type: TransactionType;
  /** Decimal text. Negative in a charge or credit that reverses another. */
  readonly amount: string;
  readonly to_prepay_meter_serial_number?: string | null;
}

/** Digits of a stored balance before the decimal point: two more than those of a single amount. */
export const BALANCE_DIGITS = 12;

const SIGNS: Readonly<Record<TransactionType, 1n | -1n>> = {
  PAYMENT: 1n,
  CREDIT: 1n,
  CHARGE: -1n,
  REPAYMENT: -1n,
  SUPPLY_CHARGE: -1n,
};

/**
 * The change of a ledger balance by a transaction. A positive balance is in favour of the customer; a negative balance is
 * owed. The balances in account payloads use the same sign, and the rules `balance_mismatch_on_transfer_balance` and
 * `balance_mismatch_on_ledger_balance` compare them with the sum of these effects. Money that was sent to a prepayment
 * meter does not change the balance.
 *
 * @throws RangeError if `amount` is invalid, which validation excludes
 */
export function effectOnBalance({ type, amount, to_prepay_meter_serial_number }: BalanceEntry): Money {
  const money = parseMoney(amount);
  if (money === undefined)
    throw new RangeError('An amount must have at most ten digits before the point and two decimals.');
  return to_prepay_meter_serial_number ? 0n : SIGNS[type] * money;
}

/** The types of transactions that raise a balance. */
const RAISING_TYPES = TRANSACTION_TYPES.filter((type) => SIGNS[type] > 0n)
  .map((type) => `'${type}'`)
  .join(', ');

/** As {@link effectOnBalance}, in SQL, for rows of the table `transaction`. */
export const EFFECT_ON_BALANCE = `CASE WHEN coalesce(details ->> 'to_prepay_meter_serial_number', '') <> '' THEN 0
        WHEN type IN (${RAISING_TYPES}) THEN amount ELSE -amount END`;

/** The balance after adding transactions. Their order does not matter. */
export function balanceAfter(balance: Money, transactions: Iterable<BalanceEntry>): Money {
  let after = balance;
  for (const transaction of transactions) after += effectOnBalance(transaction);
  return after;
}
