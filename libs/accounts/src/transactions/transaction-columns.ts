import type { Transaction } from '@portage/account-schema';
import type { NewChargedPeriod } from './transaction.repository';
import { omitFields } from '../account/omit-fields';

const TRANSACTION_COLUMNS: ReadonlySet<string> = new Set([
  'transaction_id',
  'type',
  'amount',
  'transaction_date',
  'reason',
]);

/** Returns the columns of a transaction that do not depend on its ledger. */
export function transactionColumns(transaction: Transaction) {
  const { transaction_id: transactionId, type, amount, transaction_date: transactionDate } = transaction;
  const reason = 'reason' in transaction ? transaction.reason : undefined;
  const details = omitFields(transaction, TRANSACTION_COLUMNS);
  return { transactionId, type, amount, transactionDate, reason, details };
}

/**
 * Returns the days that a transaction charges a supply point for. Each day is charged at most once. A period that ends
 * before it starts counts as its first day.
 */
export function chargedPeriodsOf(transaction: Transaction): NewChargedPeriod[] {
  if (transaction.type !== 'SUPPLY_CHARGE' || !transaction.supply_point_identifier) return [];
  const { supply_point_identifier: supplyPointIdentifier } = transaction;
  return transaction.line_items.map(({ start_date: startDate, end_date: endDate }) => ({
    supplyPointIdentifier,
    startDate,
    endDate: endDate < startDate ? startDate : endDate,
  }));
}
