import {
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
  type VendorCode,
  type VendorFailureCode,
  type VendorRefusalCode,
} from '@portage/domain';

/** What a request says about an instruction: the vendor's reference for it, and its kind (contract 2.7). */
export interface InstructionClaim {
  readonly reference: string;
  readonly type: string;
}

/** What of an instruction is stored: identifiers, and what people recognise it by. Never a full number. */
export interface VerifiedInstruction {
  readonly vendor: VendorCode;
  readonly reference: string;
  readonly type: string;
  /** The vendor's identifier of the customer, where it names one. */
  readonly customerReference?: string;
  /** Survives JSON unchanged. */
  readonly details: InstructionDetails;
}

export interface InstructionDetails {
  /** As the vendor writes it: `visa`. */
  readonly brand?: string;
  readonly lastFour?: string;
  /** 1 to 12; the card may be used to the end of that month. */
  readonly expiryMonth?: number;
  readonly expiryYear?: number;
  /** As the vendor writes it: `bacs`, `sepa_core`. */
  readonly scheme?: string;
  readonly bankAccountReference?: string;
  readonly creditorReference?: string;
}

export interface Verified {
  readonly outcome: 'verified';
  readonly instruction: VerifiedInstruction;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly code: VendorRefusalCode;
  /** Safe to show to a client. */
  readonly detail: string;
}

export interface Unavailable {
  readonly outcome: 'unavailable';
  readonly code: VendorFailureCode;
  /** Safe to show to a client. */
  readonly detail: string;
  /** How long to wait before asking again, where anybody has said so. */
  readonly retryAfterMs?: number;
}

export type VendorOutcome = Verified | Refused | Unavailable;

/** A payment vendor that holds instructions (contract 4.5). */
export interface PaymentVendor {
  readonly code: VendorCode;
  /** What speaks against an instruction before anybody is asked; only one without objections may be verified. */
  objection(claim: InstructionClaim): Refused | undefined;
  /**
   * Asks the vendor, exactly once, whether the instruction exists and can be collected by. However the vendor
   * behaves, that is an outcome, given after `timeoutMs` at the latest.
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
