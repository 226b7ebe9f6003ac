const NOTE = {
  sandbox: 'true',
  note: 'This is a response of the Portage sandbox, not a real payment method.',
};

/** The response formats of one vendor. */
export interface WireFormat {
  found(reference: string, changes: object): object;
  error(status: number, message: string): object;
}

/** https://docs.stripe.com/api/payment_methods/object */
export const STRIPE_FORMAT: WireFormat = {
  found: (id, changes) => ({
    id,
    object: 'payment_method',
    created: 1_700_000_000,
    customer: 'cus_sandbox',
    livemode: false,
    metadata: NOTE,
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2049, funding: 'credit' },
    ...changes,
  }),
  error: (status, message) => ({
    error:
      status === 404
        ? { type: 'invalid_request_error', code: 'resource_missing', param: 'payment_method', message }
        : { type: status === 429 ? 'rate_limit_error' : 'api_error', message },
  }),
};

/** https://developer.gocardless.com/api-reference/#core-endpoints-mandates */
export const GOCARDLESS_FORMAT: WireFormat = {
  found: (id, changes) => ({
    mandates: {
      id,
      created_at: '2026-01-05T09:00:00.000Z',
      reference: 'PORTAGE-SANDBOX',
      status: 'active',
      scheme: 'bacs',
      metadata: NOTE,
      links: { customer: 'CUSANDBOX', customer_bank_account: 'BASANDBOX', creditor: 'CRSANDBOX' },
      ...changes,
    },
  }),
  error: (status, message) => {
    const type = status >= 500 ? 'gocardless' : 'invalid_api_usage';
    return { error: { message, type, code: status, errors: [{ reason: type, message }] } };
  },
};
