import type { Transaction } from '../../contract/transactions';
import { type Exact, parseExact, sum } from './decimal';

/** **signed amount** of a transaction: its effect on the balance. Payments and credits raise it, others lower it. */
export function signedAmount({ type, amount }: Transaction): Exact {
  return type === 'PAYMENT' || type === 'CREDIT' ? parseExact(amount) : -parseExact(amount);
}

/** **prepay-targeted** transaction: sent to a prepayment meter and therefore not part of a balance. */
export function isPrepayTargeted(transaction: Transaction): boolean {
  return transaction.to_prepay_meter_serial_number !== undefined;
}

/** The sum of the signed amounts of the transactions that are part of a balance. */
export function balanceOf(transactions: readonly Transaction[] | undefined): Exact {
  return sum(transactions, (one) => (isPrepayTargeted(one) ? 0 : signedAmount(one)));
}
