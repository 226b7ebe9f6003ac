import { type Transaction } from '../../ledger/transaction-union';
import { type Exact, exact, sum } from './decimal';

/** **signed amount**: what a transaction does to the balance; payments and credits raise it. */
export function signedAmount({ type, amount }: Transaction): Exact {
  return type === 'PAYMENT' || type === 'CREDIT' ? exact(amount) : -exact(amount);
}

/** **prepay-targeted**: sent to a prepayment meter, and so no part of a balance. */
export function isPrepayTargeted(transaction: Transaction): boolean {
  return transaction.to_prepay_meter_serial_number !== undefined;
}

/** Sum of the signed amounts of transactions that are part of a balance. */
export function balanceOf(transactions: readonly Transaction[] | undefined): Exact {
  return sum(transactions, (one) => (isPrepayTargeted(one) ? 0 : signedAmount(one)));
}
