import { dayIn } from '@portage/account-schema/service';
import type { Clock } from '@portage/platform';
import { outcomeOfPaymentMethod } from './payment-method';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from './payment-vendor';
import type { VendorAccess } from './vendor-access';
import { requestVendor } from './vendor-request';

/** The version of the API whose responses are read. */
const API_VERSION = '2026-10-28.endive';

/** Verifies cards at Stripe. References are payment methods (`pm_...`). */
export class StripeCards implements PaymentVendor {
  readonly code = 'STRIPE';

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return Boolean(this.access.key);
  }

  findObjection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'CARD') return refused('instruction_type_not_supported');
    // The reference becomes part of a URL path.
    if (!/^pm_\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    const { access, clock } = this;
    if (!access.key) return unavailable('vendor_not_configured');
    const answer = await requestVendor(
      access.urlOf(`/v1/payment_methods/${claim.reference}`),
      { authorization: `Bearer ${access.key}`, 'stripe-version': API_VERSION },
      { timeoutMs, maxBytes: access.maxResponseBytes },
      clock,
    );
    return answer.outcome === 'answered'
      ? outcomeOfPaymentMethod(answer.body, claim, dayIn(access.timeZone, clock.now()))
      : answer;
  }
}
