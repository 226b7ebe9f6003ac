import type { Transaction } from '@portage/account-schema';
import type { ErrorCode } from '@portage/domain';

/** The query parameters of a transactions request (contract 4.3). */
export interface TransactionsOptions {
  checkPreviouslyAdded: boolean;
  forceAddToCurrentStatement: boolean;
}

/** What the worker is given to do; stored as JSON with the request. */
export interface TransactionsInput extends TransactionsOptions {
  transactions: Transaction[];
  /** Check everything, add nothing. */
  isDryRun: boolean;
}

/** Why nothing of a request was added: the first of its transactions that cannot be, by its place. */
export interface RefusedTransaction {
  index: number;
  code: ErrorCode;
  detail: string;
}

/**
 * How the work ended; stored as JSON, without anything that the client has sent: the answer is put together from the
 * body at hand.
 */
export type TransactionsOutcome =
  /** All were added but those at these places, which the account had. */
  | { kind: 'added'; existing: number[] }
  | ({ kind: 'refused' } & RefusedTransaction)
  /** A fault of ours, which the log explains. */
  | { kind: 'failed' };
