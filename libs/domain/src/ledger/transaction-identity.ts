/** What a transactions request says of each of its transactions when nothing was wrong (contract 3.4). */
export type TransactionResultStatus = 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';

/**
 * Which transactions of a request are to be added, in the order of the request. `transaction_id`, which every kind
 * must have, tells a transaction from the others of its account, whatever ledger they are on and whether they came
 * with the account or after it. One that stands twice in a request is added once.
 *
 * @param existing which of the ids the account has already
 * @param check `check_previously_added`; when false every transaction is added
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
