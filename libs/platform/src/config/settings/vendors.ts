import { integer, optional } from '../validators';
import { vendorBase, vendorKey } from '../vendor-settings';

/** The supported payment vendors, as in the field `vendor` of a request. */
export const VENDOR_CODES = ['STRIPE', 'GOCARDLESS'] as const;
export type VendorCode = (typeof VENDOR_CODES)[number];

export const vendorSettings = {
  STRIPE_API_KEY: vendorKey({
    ...optional,
    desc: 'Stripe API key that may read payment methods; a restricted key is sufficient. Default: card instructions get 500 until the key is set.',
  }),
  STRIPE_API_BASE: vendorBase({ default: 'https://api.stripe.com', desc: 'Base URL of the Stripe API.' }),
  GOCARDLESS_ACCESS_TOKEN: vendorKey({
    ...optional,
    desc: 'GoCardless access token that may read mandates; a read-only token is sufficient. Default: direct debit instructions get 500 until the token is set.',
  }),
  GOCARDLESS_API_BASE: vendorBase({
    default: 'https://api.gocardless.com',
    desc: 'Base URL of the GoCardless API.',
  }),
  PAYMENT_INSTRUCTIONS_PER_SECOND: integer({
    min: 1,
    max: 10_000,
    default: 20,
    desc: 'Maximum number of payment instructions per second that all workers together start to verify. Keep it below the rate limits of the vendors.',
  }),
  VENDOR_TIMEOUT_MS: integer({
    min: 50,
    max: 60_000,
    default: 6_000,
    desc: 'Maximum time in milliseconds of one request to a payment vendor, connecting included. It is reduced where three attempts would not fit into OUTCOME_WAIT_MS.',
  }),
};
