/** Responses of Stripe and GoCardless as in their API references, including the fields that Portage ignores. */
export const CARD = 'pm_1QfL2eKq8xYb';
export const MANDATE = 'MD000A1B2C3D4E';

export function paymentMethod(changes: object = {}, card: object = {}) {
  return {
    id: CARD,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { email: 'jenny@example.com', name: 'Jenny Rosen', phone: null },
    card: {
      brand: 'visa',
      checks: { cvc_check: 'pass' },
      country: 'US',
      exp_month: 8,
      exp_year: 2049,
      fingerprint: 'mToisGZ01V71BCos',
      funding: 'credit',
      last4: '4242',
      ...card,
    },
    created: 1679945299,
    customer: 'cus_9s6XKzkNRiz8i3',
    livemode: false,
    metadata: {},
    type: 'card',
    ...changes,
  };
}

export function mandate(changes: object = {}, links: object = {}) {
  return {
    mandates: {
      id: MANDATE,
      created_at: '2026-05-08T17:01:06.000Z',
      reference: 'REF-123',
      status: 'active',
      scheme: 'bacs',
      next_possible_charge_date: '2026-11-27',
      payments_require_approval: false,
      metadata: {},
      links: { customer_bank_account: 'BA000123', creditor: 'CR000123', customer: 'CU000123', ...links },
      ...changes,
    },
  };
}

export function stripeError(code: string, message: string) {
  return { error: { type: 'invalid_request_error', code, message, param: 'payment_method' } };
}

export function goCardlessError(code: number, type: string, message: string) {
  return {
    error: {
      message,
      errors: [{ reason: type, message }],
      documentation_url: 'https://developer.gocardless.com/api-reference',
      type,
      request_id: 'dd50eaaf-8213-48fe-90d6-5466872efbc4',
      code,
    },
  };
}
