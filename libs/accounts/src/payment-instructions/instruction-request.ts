import type { PaymentInstructionRequest } from '@portage/account-schema';
import type { VendorFailureCode, VendorRefusalCode } from '@portage/platform';

/** The worker's input; stored as JSON with the request until it is finished. */
export interface InstructionInput {
  vendor: string;
  reference: string;
  type: PaymentInstructionRequest['type'];
  /** As sent; `''` for the main ledger. */
  ledgerCode: string;
  /** All names of the same ledger. */
  ledgerCodes: string[];
  /** Further fields of the instruction, with the contract's names. */
  terms: InstructionTerms;
  /** True if its vendor is asked and nothing is stored. */
  isDryRun?: boolean;
}

/** Optional fields of an instruction, with the contract's names. */
export interface InstructionTerms {
  use_for_scheduled_payments?: boolean;
  valid_from?: string;
}

/** The outcome of the request; stored as JSON, without any data that the client or the vendor has sent. */
export type InstructionOutcome =
  | { kind: 'stored' }
  /** The vendor's answer is final. */
  | { kind: 'refused'; code: VendorRefusalCode }
  /** The vendor may answer differently later. */
  | { kind: 'unavailable'; code: VendorFailureCode }
  /** A fault of the service; the log has the cause. */
  | { kind: 'failed' };
