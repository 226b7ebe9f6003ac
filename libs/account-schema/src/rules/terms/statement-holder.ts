import type { Transaction } from '../../contract/transactions';

/** The fields that an account and a ledger share: the last statement and the transactions before and after it. */
export interface StatementHolder {
  readonly historical_statement_transactions?: readonly Transaction[];
  readonly current_statement_transactions?: readonly Transaction[];
  readonly last_statement_balance?: string;
  readonly last_statement_closing_date?: string;
  readonly last_statement_issue_date?: string;
}

/** Names of the fields that hold transactions. */
export const TRANSACTION_LISTS = [
  'historical_statement_transactions',
  'current_statement_transactions',
] as const;

/** The latest date among transactions, with the index of the first transaction that has it. */
export function latestOf(
  transactions: readonly Transaction[] | undefined,
): { readonly date: string; readonly index: number } | undefined {
  let latest: { readonly date: string; readonly index: number } | undefined;
  for (const [index, { transaction_date: date }] of (transactions ?? []).entries()) {
    if (latest === undefined || date > latest.date) latest = { date, index };
  }
  return latest;
}

/** The earliest date among transactions. */
export function earliestOf(transactions: readonly Transaction[] | undefined): string | undefined {
  let first: string | undefined;
  for (const { transaction_date: date } of transactions ?? []) {
    if (first === undefined || date < first) first = date;
  }
  return first;
}
