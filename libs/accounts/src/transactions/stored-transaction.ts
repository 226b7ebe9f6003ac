import type { Transaction } from '@portage/account-schema';
import type { StoredTransaction } from './transaction.repository';
import { transactionDifferences } from './transaction-differences';
import type { DifferentTransaction } from './transactions-request';

/** A stored transaction in the form of the contract (2.5). */
export function toContract(stored: StoredTransaction): Record<string, unknown> {
  const { transactionId, type, amount, transactionDate, reason, details } = stored;
  return {
    transaction_id: transactionId,
    transaction_date: transactionDate,
    type,
    amount,
    ...(reason !== null && { reason }),
    ...details,
  };
}

/** The oldest stored transaction of each id. */
export function oldestById(stored: readonly StoredTransaction[]): Map<string, StoredTransaction> {
  // The last entry of a key counts.
  return new Map([...stored].reverse().map((transaction) => [transaction.transactionId, transaction]));
}

/**
 * Finds the transactions that differ from those that the account has under their ids. One that was added several times
 * on purpose is compared with each of them.
 *
 * @param indexes the indexes of the transactions that the account has already
 */
export function findDifferent(
  transactions: readonly Transaction[],
  indexes: readonly number[],
  stored: readonly StoredTransaction[],
): DifferentTransaction[] {
  if (indexes.length === 0) return [];
  const storedById = new Map<string, StoredTransaction[]>();
  for (const transaction of stored)
    storedById.set(transaction.transactionId, [
      ...(storedById.get(transaction.transactionId) ?? []),
      transaction,
    ]);
  return indexes.flatMap((index) => {
    const submitted = transactions[index] as Transaction;
    const found = (storedById.get(submitted.transaction_id) ?? []).map((one) =>
      transactionDifferences(submitted, toContract(one)),
    );
    const [differences = []] = found;
    return found.some(({ length }) => length === 0) || differences.length === 0
      ? []
      : [{ index, differences }];
  });
}
