import { type Endpoint } from '../after-import/request-line';
import { type Account } from './account';
import { type Day } from './calendar';
import { type Random } from './random';

/** A request about an account of the sample book, and what a correct service makes of it the first time. */
export interface SampleRequest {
  endpoint: Endpoint;
  query?: Record<string, boolean>;
  /** Without the two fields that say which account it is about. */
  body: Record<string, unknown>;
  becomes: { added: number; alreadyThere?: number } | { refused: string };
}

/** The account of the book that is added to. */
export interface Subject {
  account: Account;
  externalAccountNumber: string;
  /** The first day of its open statement period. */
  takeover: Day;
  serial: number;
  /** How many accounts before it were added to in the same way. */
  turn: number;
  random: Random;
}

/** What is added to one account, in this order. */
export type Scenario = (subject: Subject) => SampleRequest[];

export function notes(list: object[], alreadyThere = 0): SampleRequest {
  const becomes = { added: list.length - alreadyThere, alreadyThere };
  return { endpoint: 'notes', body: { notes: list }, becomes };
}

export function transactions(list: object[], alreadyThere = 0): SampleRequest {
  const becomes = { added: list.length - alreadyThere, alreadyThere };
  return { endpoint: 'transactions', body: { transactions: list }, becomes };
}
