/**
 * The result for each transaction of a successful transactions request (contract, "Results of notes and transactions").
 */
export type TransactionResultStatus = 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';

/**
 * Decides for each transaction of a request whether it is added, in the order of the request. The required
 * `transaction_id` identifies a transaction within its account, on any ledger, whether it was imported with the account
 * or added later. A transaction that occurs twice in a request is added once.
 *
 * @param existing the ids of the request that the account has already
 * @param check `check_previously_added`; if false, every transaction is added
 */
export function transactionStatuses(
  transactions: readonly { readonly transaction_id: string }[],
  existing: Iterable<string>,
  check: boolean,
): TransactionResultStatus[] {
  const known = new Set(existing);
  return transactions.map(({ transaction_id: id }) => {
    if (check && known.has(id)) return 'TRANSACTION_ALREADY_EXISTS';
    known.add(id);
    return 'TRANSACTION_ADDED_TO_ACCOUNT';
  });
}
