import { type Clock, dayIn } from '@portage/domain';
import Stripe from 'stripe';
import { type Answer } from '../answer-fields';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from '../payment-vendor';
import { VendorFailure } from '../vendor-failure';
import { askVendor } from '../vendor-question';
import { type VendorAccess } from '../vendor-access';
import { outcomeOfPaymentMethod } from './payment-method';

/** Cards that Stripe holds: payment methods, `pm_...`. */
export class StripeCards implements PaymentVendor {
  readonly code = 'STRIPE';
  private readonly sdk: Stripe | undefined;

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {
    this.sdk = access.key ? sdkOf(access.key, access, clock) : undefined;
  }

  objection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'CARD') return refused('instruction_type_not_supported');
    // It becomes part of a path.
    if (!/^pm_\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    if (!this.sdk) return unavailable('vendor_not_configured');
    let method: Answer;
    try {
      const timeout = Math.max(1, Math.floor(timeoutMs));
      method = { ...(await this.sdk.paymentMethods.retrieve(claim.reference, {}, { timeout })) };
    } catch (error) {
      return outcomeOf(error);
    }
    return outcomeOfPaymentMethod(method, claim, dayIn(this.access.timeZone, this.clock.now()));
  }
}

function sdkOf(key: string, access: VendorAccess, clock: Clock): Stripe {
  return new Stripe(key, {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: {
      getClientName: () => 'portage',
      // The SDK's own client repeats a request whose connection was closed, even with its retries off.
      makeRequest: async (_host, _port, path, _method, headers, _body, _protocol, timeoutMs) => {
        const limits = { timeoutMs, maxBytes: access.maxAnswerBytes };
        const body = await askVendor(access.urlOf(path), headers, limits, clock);
        return {
          getStatusCode: () => 200,
          // The SDK prints some of what it finds in headers.
          getHeaders: () => ({}),
          getRawResponse: () => ({}),
          toStream: () => undefined,
          toJSON: async () => Promise.resolve(body),
        };
      },
    },
  });
}

/** The SDK wraps what went wrong on the way, and chokes on answers that are not Stripe's. */
function outcomeOf(error: unknown): VendorOutcome {
  const cause = error instanceof Stripe.errors.StripeError ? error.detail : undefined;
  return cause instanceof VendorFailure ? cause.outcome : unavailable('vendor_answer_invalid');
}
