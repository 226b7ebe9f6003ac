import { type Clock, dayIn } from '@portage/platform';
import type Stripe from 'stripe';
import type { VendorResponse } from './response-fields';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from './payment-vendor';
import { VendorFailure } from './vendor-failure';
import { requestVendor } from './vendor-request';
import type { VendorAccess } from './vendor-access';
import { outcomeOfPaymentMethod } from './payment-method';

/** Verifies cards at Stripe. References are payment methods (`pm_...`). */
export class StripeCards implements PaymentVendor {
  readonly code = 'STRIPE';
  private readonly sdk: Stripe | undefined;

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {
    this.sdk = access.key ? createSdk(access.key, access, clock) : undefined;
  }

  findObjection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'CARD') return refused('instruction_type_not_supported');
    // The reference becomes part of a URL path.
    if (!/^pm_\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    if (!this.sdk) return unavailable('vendor_not_configured');
    let method: VendorResponse;
    try {
      const timeout = Math.max(1, Math.floor(timeoutMs));
      method = { ...(await this.sdk.paymentMethods.retrieve(claim.reference, {}, { timeout })) };
    } catch (error) {
      return outcomeOf(error);
    }
    return outcomeOfPaymentMethod(method, claim, dayIn(this.access.timeZone, this.clock.now()));
  }
}

function createSdk(key: string, access: VendorAccess, clock: Clock): Stripe {
  // Loaded here, because most processes have no key and loading the SDK would slow their start.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- import() cannot load it in a constructor
  const StripeSdk = require('stripe') as typeof import('stripe');
  return new StripeSdk(key, {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: {
      getClientName: () => 'portage',
      // The HTTP client of the SDK retries a request whose connection was closed, even with retries off.
      makeRequest: async (_host, _port, path, _method, headers, _body, _protocol, timeoutMs) => {
        const limits = { timeoutMs, maxBytes: access.maxResponseBytes };
        const body = await requestVendor(access.urlOf(path), headers, limits, clock);
        return {
          getStatusCode: () => 200,
          // The SDK prints the values of some headers.
          getHeaders: () => ({}),
          getRawResponse: () => ({}),
          toStream: () => undefined,
          toJSON: async () => Promise.resolve(body),
        };
      },
    },
  });
}

/** The SDK wraps a {@link VendorFailure} as the detail of its own error, and throws on bodies that are not Stripe's. */
function outcomeOf(error: unknown): VendorOutcome {
  const cause = error instanceof Error && 'detail' in error ? error.detail : undefined;
  return cause instanceof VendorFailure ? cause.outcome : unavailable('vendor_answer_invalid');
}
