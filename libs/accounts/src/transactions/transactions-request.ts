import type { Transaction } from '@portage/account-schema';
import type { ErrorCode, LocalDate } from '@portage/platform';
import { chargedPeriodsOf } from './transaction-columns';

/** A larger request gains nothing from sharing a commit and would delay the others. */
const MAX_SHARED_TRANSACTIONS = 100;

/** The query parameters of a transactions request (contract, "Add transactions"). */
export interface TransactionsOptions {
  checkPreviouslyAdded: boolean;
  forceAddToCurrentStatement: boolean;
}

/** The worker's input; stored as JSON with the request until it is finished. */
export interface TransactionsInput extends TransactionsOptions {
  transactions: Transaction[];
  /** Everything is checked and nothing is added. */
  isDryRun: boolean;
}

/** The first transaction of a request that cannot be added, by its index, and the reason. */
export interface RefusedTransaction {
  index: number;
  code: ErrorCode;
  detail: string;
}

/** A transaction that the account has with other content. */
export interface DifferentTransaction {
  index: number;
  /** The names of the fields. */
  differences: string[];
}

/**
 * The outcome of the request; stored as JSON, without any data that the client has sent. The API builds the answer from
 * the outcome and the body.
 */
export type TransactionsOutcome =
  /** All transactions were added, except those at the indexes in `existing`, which the account had already. */
  | {
      kind: 'added';
      existing: number[];
      /** The existing ones with other content, and the names of the fields that differ. */
      different?: DifferentTransaction[];
      /** The added ones whose date was moved into the open statement period: new date to indexes. */
      moved?: Record<LocalDate, number[]>;
    }
  | ({ kind: 'refused' } & RefusedTransaction)
  /** A fault of the service; the log has the cause. */
  | { kind: 'failed' };

/**
 * True if a request with these transactions may share a job and a commit with others. Two requests that charge the same
 * days of supply must not, because neither sees the other's charges.
 */
export function mayShareCommit(transactions: readonly Transaction[]): boolean {
  return (
    transactions.length <= MAX_SHARED_TRANSACTIONS &&
    transactions.every((transaction) => chargedPeriodsOf(transaction).length === 0)
  );
}
