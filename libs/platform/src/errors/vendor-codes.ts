import { VENDOR_CODES } from '../config/settings/vendors';

/**
 * The permanent errors of a verification, for which the client gets 400 (contract, "Create a payment instruction"),
 * with their details. The details are constants, so that no text of a vendor or an SDK reaches a client.
 * `instruction_not_available` is Portage's own: the reference has a verified instruction of another organisation.
 */
export const VENDOR_REFUSALS = {
  vendor_not_supported: `This payment vendor is not supported. The supported vendors are ${VENDOR_CODES.join(' and ')}.`,
  instruction_type_not_supported: 'This payment vendor does not support instructions of this type.',
  invalid_reference: 'The reference does not have the format of this payment vendor.',
  instruction_not_found: 'The payment vendor does not know the reference.',
  instruction_wrong_type: 'The reference belongs to an instruction of another type.',
  instruction_expired: 'The card or the mandate has expired.',
  instruction_detached:
    'The payment method is not attached to a customer of the vendor, so it cannot be charged.',
  instruction_cancelled: 'The mandate was cancelled.',
  instruction_failed: 'The bank refused to set up the mandate.',
  instruction_not_active: 'The mandate is suspended, blocked, used up or not approved yet.',
  vendor_access_denied: 'The payment vendor does not give this service access to the instruction.',
  instruction_not_available:
    'The reference is not available to your organisation. Check that the instruction is yours.',
  vendor_refused: 'The payment vendor refused to look up the reference.',
} as const;
export type VendorRefusalCode = keyof typeof VENDOR_REFUSALS;

/**
 * The temporary errors of a verification, for which the client gets 500 and may retry the same request (contract,
 * "Create a payment instruction").
 */
export const VENDOR_FAILURES = {
  vendor_not_configured: 'The access of this service to the payment vendor is not configured yet.',
  vendor_timeout: 'The payment vendor did not answer in time.',
  vendor_unreachable: 'The payment vendor cannot be reached, or the connection was lost.',
  vendor_rate_limited: 'The rate limit of the payment vendor is exceeded.',
  vendor_error: 'The payment vendor reported an internal error.',
  vendor_answer_invalid: 'The response of the payment vendor is invalid.',
  vendor_redirected: 'The payment vendor responded with a redirect, which is not followed.',
  vendor_paused: 'The payment vendor failed repeatedly and gets no requests for a few seconds.',
} as const;
export type VendorFailureCode = keyof typeof VENDOR_FAILURES;
