/** The payment vendors that can be asked, as a request's `vendor` names them. */
export const VENDOR_CODES = ['STRIPE', 'GOCARDLESS'] as const;
export type VendorCode = (typeof VENDOR_CODES)[number];

/**
 * Every way in which asking a payment vendor again gets the same answer, so that the client gets a 400 (contract 4.5),
 * with what it is told. The texts are constants: nothing that a vendor or an SDK says can reach a client through them.
 */
export const VENDOR_REFUSALS = {
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
export type VendorRefusalCode = keyof typeof VENDOR_REFUSALS;

/**
 * Every way in which asking later may get another answer, so that the client gets a 500 and may try again as-is
 * (contract 4.5).
 */
export const VENDOR_FAILURES = {
  vendor_not_configured: 'This service has no access to the payment vendor yet.',
  vendor_timeout: 'The payment vendor did not answer in time.',
  vendor_unreachable: 'The payment vendor cannot be reached, or the connection to it broke.',
  vendor_rate_limited: 'The payment vendor asks for fewer questions.',
  vendor_error: 'The payment vendor has a problem of its own.',
  vendor_answer_invalid: 'The answer of the payment vendor makes no sense.',
  vendor_redirected: 'The payment vendor is not at the address where it was asked.',
  vendor_paused: 'The payment vendor failed again and again and is left alone for a moment.',
} as const;
export type VendorFailureCode = keyof typeof VENDOR_FAILURES;
