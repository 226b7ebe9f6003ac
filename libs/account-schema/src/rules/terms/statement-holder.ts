import { type Transaction } from '../../ledger/transaction-union';

/** What an account and a ledger have in common: the last statement, and transactions before and after it. */
export interface StatementHolder {
  readonly historical_statement_transactions?: readonly Transaction[];
  readonly current_statement_transactions?: readonly Transaction[];
  readonly last_statement_balance?: string;
  readonly last_statement_closing_date?: string;
  readonly last_statement_issue_date?: string;
}

export const TRANSACTION_LISTS = [
  'historical_statement_transactions',
  'current_statement_transactions',
] as const;

/** Names of the two lists, to build paths and to look into. */
export type TransactionList = (typeof TRANSACTION_LISTS)[number];

/** The latest date among transactions, with its place; the first place where several share it. */
export function latestOf(
  transactions: readonly Transaction[] | undefined,
): { readonly date: string; readonly place: number } | undefined {
  let latest: { readonly date: string; readonly place: number } | undefined;
  for (const [place, { transaction_date: date }] of (transactions ?? []).entries()) {
    if (latest === undefined || date > latest.date) latest = { date, place };
  }
  return latest;
}

/** The earliest date among transactions. */
export function earliestOf(transactions: readonly Transaction[] | undefined): string | undefined {
  let least: string | undefined;
  for (const { transaction_date: date } of transactions ?? []) {
    if (least === undefined || date < least) least = date;
  }
  return least;
}
