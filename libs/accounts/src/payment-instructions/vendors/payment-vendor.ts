import type { PaymentInstructionRequest } from '@portage/account-schema';
import {
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
  type VendorCode,
  type VendorFailureCode,
  type VendorRefusalCode,
} from '@portage/platform';

/** An instruction as a request describes it: the vendor's reference and the type (contract, "Payment instruction"). */
export interface InstructionClaim {
  readonly reference: string;
  readonly type: PaymentInstructionRequest['type'];
}

/** The stored part of an instruction: identifiers and details for display. Never a full card or account number. */
export interface VerifiedInstruction {
  readonly vendor: VendorCode;
  readonly reference: string;
  readonly type: PaymentInstructionRequest['type'];
  /** The vendor's identifier of the customer, if it has one. */
  readonly customerReference?: string;
  /** Contains only JSON values. */
  readonly details: InstructionDetails;
}

/** The details of an instruction that the vendor provides and that are stored. */
export interface InstructionDetails {
  /** As the vendor writes it, such as `visa`. */
  readonly brand?: string;
  readonly lastFour?: string;
  /** 1 to 12. The card is valid until the end of this month. */
  readonly expiryMonth?: number;
  readonly expiryYear?: number;
  /** As the vendor writes it, such as `bacs` or `sepa_core`. */
  readonly scheme?: string;
  readonly bankAccountReference?: string;
  readonly creditorReference?: string;
}

/** The instruction exists and can be collected. */
export interface Verified {
  readonly outcome: 'verified';
  readonly instruction: VerifiedInstruction;
}

/** The instruction cannot be used. A retry gets the same outcome. */
export interface Refused {
  readonly outcome: 'refused';
  readonly code: VendorRefusalCode;
  /** Safe to show to a client. */
  readonly detail: string;
}

/** The vendor could not be reached or failed. A retry may succeed. */
export interface Unavailable {
  readonly outcome: 'unavailable';
  readonly code: VendorFailureCode;
  /** Safe to show to a client. */
  readonly detail: string;
  /** How long to wait before the next attempt, if the vendor or the circuit breaker specifies it. */
  readonly retryAfterMs?: number;
}

export type VendorOutcome = Verified | Refused | Unavailable;

/** The port of a payment vendor (contract, "Create a payment instruction"). */
export interface PaymentVendor {
  readonly code: VendorCode;
  /** False without a key: every instruction is `unavailable` then. */
  readonly isConfigured: boolean;
  /** Checks an instruction without a request. Only an instruction without an objection may be passed to `verify`. */
  findObjection(claim: InstructionClaim): Refused | undefined;
  /**
   * Sends exactly one request to find out whether the instruction exists and can be collected. Every behaviour of the
   * vendor results in an outcome within `timeoutMs`, never in an exception.
   */
  verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome>;
}

export function refused(code: VendorRefusalCode): Refused {
  return { outcome: 'refused', code, detail: VENDOR_REFUSALS[code] };
}

export function unavailable(code: VendorFailureCode, retryAfterMs?: number): Unavailable {
  const failure = { outcome: 'unavailable', code, detail: VENDOR_FAILURES[code] } as const;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}
