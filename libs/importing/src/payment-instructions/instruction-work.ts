import type { VendorFailureCode, VendorRefusalCode } from '@portage/domain';

/** What the worker is given to do; stored as JSON with the request until it is done. */
export interface InstructionInput {
  vendor: string;
  reference: string;
  type: string;
  /** As it was sent; `''` for the main ledger. */
  ledgerCode: string;
  /** Everything that the same ledger is called. */
  ledgerCodes: string[];
  /** What is said about the instruction besides, under the contract's names. */
  terms: InstructionTerms;
}

export interface InstructionTerms {
  use_for_scheduled_payments?: boolean;
  valid_from?: string;
}

/** How the work ended; stored as JSON, without anything that the client or the vendor has sent. */
export type InstructionOutcome =
  | { kind: 'stored' }
  /** Asking again gets the same answer. */
  | { kind: 'refused'; code: VendorRefusalCode }
  /** Asking later may get another. */
  | { kind: 'unavailable'; code: VendorFailureCode }
  /** A fault of ours, which the log explains. */
  | { kind: 'failed' };
