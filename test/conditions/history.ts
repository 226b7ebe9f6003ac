/** What a client asked for. */
export type Operation =
  'schedule' | 'status' | 'transfer-status' | 'transactions' | 'note' | 'list' | 'feed' | 'submission';

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
  /** The status of the import process, in the terms of v2. */
  seen?: string;
  accountNumber?: string;
  /** The transaction or note that the call adds. */
  item?: string;
}

/** What is stored about an account at the end. */
export interface StoredAccount {
  account: string;
  accounts: number;
  processedEvents: number;
  status: string;
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
