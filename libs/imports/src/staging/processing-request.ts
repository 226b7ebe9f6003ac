/** The worker's input; stored as JSON with the request until it is finished. */
export interface ProcessingInput {
  processId: string;
  version: number;
  /** The code of the supplier, and the account, for the job. */
  supplier: string;
  externalAccountNumber: string;
  /** The team of the request, which replaces the one in the account. */
  operationsTeam?: string;
}

/** The outcome of the request; stored as JSON, without any data of the account but its number. */
export type ProcessingOutcome =
  | { kind: 'created'; accountNumber: string }
  | { kind: 'dry-run-succeeded' }
  /** The process has ended with this error. The API finds all errors of the account again. */
  | { kind: 'errored'; code: string }
  /** The account was scheduled, staged or cancelled before a worker began. */
  | { kind: 'replaced' };
