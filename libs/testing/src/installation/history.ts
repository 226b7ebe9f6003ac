import type { ImportProcessStatus } from '@portage/imports';
import type { StatusEvent } from '../event-actions';

/** What a client asked for. */
export type Operation =
  | 'schedule'
  | 'status'
  | 'transfer-status'
  | 'transactions'
  | 'note'
  | 'list'
  | 'upload'
  | 'submission';

/** The refusal of an account that is imported. */
export const ALREADY_IMPORTED = 'account_import_process_already_imported';

/** One call of a client, with what its answer says about one account. Times are milliseconds on one clock. */
export interface Call {
  operation: Operation;
  /** The instance that was called. */
  instance: string;
  /** The external account number. */
  account: string;
  startedAt: number;
  endedAt: number;
  /** 0 if there was no answer. */
  status: number;
  /** The error code of a refusal. */
  code?: string;
  /** The beginning of the answer, if it is an error. */
  text?: string;
  /** The status of the import process, in the terms of v2. */
  seen?: string;
  accountNumber?: string;
  /** The transaction or note that the call adds. */
  item?: string;
}

/** True for answers that a client must expect of a service whose servers are away. It repeats the call. */
export function isUnanswered({ status }: Pick<Call, 'status'>): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** What is stored about an account at the end. */
export interface StoredAccount {
  account: string;
  /** The accounts of the process, and all accounts of the supplier with this number. */
  accounts: number;
  accountsOfNumber: number;
  /** True if the account has the numbers and the supplier of its process. */
  isSame: boolean;
  customers: number;
  hasPayload: boolean;
  /** The events that change the status, in their order. */
  events: readonly StatusEvent[];
  status: ImportProcessStatus;
  errorCode: string | null;
  accountNumber: string | null;
  /** The times that each transaction is stored, by its id. */
  transactions: Readonly<Record<string, number>>;
  /** The times that each note is stored, by its text. */
  notes: Readonly<Record<string, number>>;
  balance: number;
  /** The sum of the effects of its transactions. */
  entries: number;
  /** The time at which it may be started at the earliest, and that of its first start; undefined without a window. */
  window?: { opensAt: number; startedAt: number } | undefined;
}

/** How each view shows an account after the last heal, by account. */
export interface FinalViews {
  /** The view and the instance, such as `v2 at api-1`. */
  view: string;
  /** Accounts that it shows as imported, with their account numbers where it has them. */
  imported: ReadonlyMap<string, string | undefined>;
  /** Accounts that it shows more than once. */
  repeated: readonly string[];
}
