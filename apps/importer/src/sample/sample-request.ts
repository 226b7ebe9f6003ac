import type { Endpoint } from '../after-import/request-line';
import type { Account } from './account';
import type { Day } from './calendar';
import type { Random } from './random';

/** A request about an account of the sample book, and its expected outcome when it is sent for the first time. */
export interface SampleRequest {
  endpoint: Endpoint;
  query?: Record<string, boolean>;
  /** The body without the two fields that identify the account. */
  body: Record<string, unknown>;
  outcome: { added: number; alreadyThere?: number } | { refused: string };
}

/** The account that a request is about. */
export interface Subject {
  account: Account;
  externalAccountNumber: string;
  /** The first day of the open statement period. */
  takeover: Day;
  serial: number;
  /** Number of earlier accounts with the same scenario. */
  turn: number;
  random: Random;
}

/** Builds the requests for one account, in order. */
export type Scenario = (subject: Subject) => SampleRequest[];

/** A request to add notes, of which `alreadyThere` exist already. */
export function notesRequest(list: object[], alreadyThere = 0): SampleRequest {
  const outcome = { added: list.length - alreadyThere, alreadyThere };
  return { endpoint: 'notes', body: { notes: list }, outcome };
}

/** A request to add transactions, of which `alreadyThere` exist already. */
export function transactionsRequest(list: object[], alreadyThere = 0): SampleRequest {
  const outcome = { added: list.length - alreadyThere, alreadyThere };
  return { endpoint: 'transactions', body: { transactions: list }, outcome };
}
