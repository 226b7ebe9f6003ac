/** The vendors that Portage can ask, as a request's `vendor` names them. */
export const VENDOR_CODES = ['STRIPE', 'GOCARDLESS'] as const;
export type VendorCode = (typeof VENDOR_CODES)[number];

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

/**
 * Every way in which asking again gets the same answer, so that the client gets a 400 (contract 4.5), with what it is
 * told. The texts are constants: nothing that a vendor or an SDK says can reach a client through them.
 */
const REFUSALS = {
  vendor_not_supported: `This payment vendor cannot be asked. Those that can are ${VENDOR_CODES.join(' and ')}.`,
  instruction_type_not_supported: 'This payment vendor is not asked about instructions of this type.',
  invalid_reference: 'The reference does not have the form that this payment vendor gives its references.',
  instruction_not_found: 'The payment vendor does not know the reference.',
  instruction_wrong_type: 'What the payment vendor has under the reference is of another type.',
  instruction_expired: 'The card or the mandate has expired.',
  instruction_detached:
    'The payment method belongs to no customer of the vendor, so nothing can be collected by it.',
  instruction_cancelled: 'The mandate was cancelled.',
  instruction_failed: 'The mandate could not be set up at the bank.',
  instruction_not_active: 'The mandate is suspended, blocked, used up or not approved yet.',
  vendor_access_denied: 'The payment vendor does not give this service access to the instruction.',
  vendor_refused: 'The payment vendor refused to look the reference up.',
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** Every way in which asking later may get another answer, so that the client may try again as-is (contract 4.5). */
const FAILURES = {
  vendor_not_configured: 'This service has no access to the payment vendor yet.',
  vendor_timeout: 'The payment vendor did not answer in time.',
  vendor_unreachable: 'The payment vendor cannot be reached, or the connection to it broke.',
  vendor_rate_limited: 'The payment vendor asks for fewer questions.',
  vendor_error: 'The payment vendor has a problem of its own.',
  vendor_answer_invalid: 'The answer of the payment vendor makes no sense.',
  vendor_redirected: 'The payment vendor is not at the address where it was asked.',
  vendor_paused: 'The payment vendor failed again and again and is left alone for a moment.',
} as const;
export type FailureCode = keyof typeof FAILURES;

export interface Verified {
  readonly outcome: 'verified';
  readonly instruction: VerifiedInstruction;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly code: RefusalCode;
  /** Safe to show to a client. */
  readonly detail: string;
}

export interface Unavailable {
  readonly outcome: 'unavailable';
  readonly code: FailureCode;
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

export function refused(code: RefusalCode): Refused {
  return { outcome: 'refused', code, detail: REFUSALS[code] };
}

export function unavailable(code: FailureCode, retryAfterMs?: number): Unavailable {
  const failure = { outcome: 'unavailable', code, detail: FAILURES[code] } as const;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}
