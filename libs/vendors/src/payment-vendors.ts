import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { systemClock } from '@portage/domain';
import { Logger, Metrics } from '@portage/observability';
import { GoCardlessMandates } from './gocardless/gocardless-mandates';
import { type InstructionClaim, type PaymentVendor, refused, type VendorOutcome } from './payment-vendor';
import { StripeCards } from './stripe/stripe-cards';
import { VendorAccess } from './vendor-access';
import { BREAKER_STATES, type BreakerState, VendorBreaker } from './vendor-breaker';

export type VendorSettings = Pick<
  Config,
  | 'STRIPE_API_KEY'
  | 'STRIPE_API_BASE'
  | 'GOCARDLESS_ACCESS_TOKEN'
  | 'GOCARDLESS_API_BASE'
  | 'PLATFORM_TIMEZONE'
  | 'VENDOR_TIMEOUT_MS'
  | 'VENDOR_MAX_ANSWER_BYTES'
  | 'VENDOR_BREAKER_FAILURES'
  | 'VENDOR_BREAKER_PAUSE_MS'
>;

interface Entry {
  readonly vendor: PaymentVendor;
  readonly breaker: VendorBreaker;
}

/** Every payment vendor that can be asked, each behind a circuit breaker of its own (contract 4.5). */
@Injectable()
export class PaymentVendors {
  private readonly entries: ReadonlyMap<string, Entry>;

  constructor(
    @Inject(CONFIG) private readonly config: VendorSettings,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    const { VENDOR_MAX_ANSWER_BYTES: maxBytes, PLATFORM_TIMEZONE: zone } = config;
    const vendors = [
      new StripeCards(
        new VendorAccess(config.STRIPE_API_BASE, config.STRIPE_API_KEY, maxBytes, zone),
        systemClock,
      ),
      new GoCardlessMandates(
        new VendorAccess(config.GOCARDLESS_API_BASE, config.GOCARDLESS_ACCESS_TOKEN, maxBytes, zone),
        systemClock,
      ),
    ];
    this.entries = new Map(
      vendors.map((vendor) => [vendor.code, { vendor, breaker: this.breakerOf(vendor.code) }]),
    );
  }

  /**
   * Whether a vendor holds an instruction that can be collected by. The vendor is asked at most once: trying again is
   * the queue's. An outcome is never an exception, and comes after `timeoutMs` (at most `VENDOR_TIMEOUT_MS`).
   *
   * A vendor without a key is `unavailable`, not `refused`: nothing is wrong with the request, and the same one
   * succeeds as soon as the operator has set the key.
   *
   * @param vendorCode as the request says; letter case does not matter
   */
  async verify(
    vendorCode: string,
    claim: InstructionClaim,
    { timeoutMs = Infinity }: { readonly timeoutMs?: number } = {},
  ): Promise<VendorOutcome> {
    const code = vendorCode.toUpperCase();
    const entry = this.entries.get(code);
    const outcome = entry
      ? await verifyBy(entry, claim, Math.min(timeoutMs, this.config.VENDOR_TIMEOUT_MS))
      : refused('vendor_not_supported');
    // A code without a vendor is a client's text, of which there may be any number.
    this.note(entry ? code : 'other', outcome);
    return outcome;
  }

  private note(vendor: string, outcome: VendorOutcome): void {
    const code = outcome.outcome === 'verified' ? '' : outcome.code;
    this.metrics.vendorCalls.inc({ vendor, outcome: outcome.outcome, code });
    if (code === 'vendor_access_denied' || code === 'vendor_not_configured' || code === 'vendor_redirected')
      this.logger.failure('The access to a payment vendor needs to be set right.', { vendor, code });
  }

  private breakerOf(vendor: string): VendorBreaker {
    const { VENDOR_BREAKER_FAILURES: failures, VENDOR_BREAKER_PAUSE_MS: pauseMs } = this.config;
    const show = (state: BreakerState) => {
      for (const one of BREAKER_STATES)
        this.metrics.vendorBreaker.set({ vendor, state: one }, one === state ? 1 : 0);
    };
    show('closed');
    return new VendorBreaker({ failures, pauseMs }, systemClock, (state) => {
      show(state);
      if (state === 'open')
        this.logger.warning('A payment vendor failed again and again and is left alone.', { vendor });
      if (state === 'closed') this.logger.info('A payment vendor answers again.', { vendor });
    });
  }
}

/** What nobody was asked about says nothing about the vendor, so the breaker does not hear of it. */
async function verifyBy(
  { vendor, breaker }: Entry,
  claim: InstructionClaim,
  timeoutMs: number,
): Promise<VendorOutcome> {
  return vendor.objection(claim) ?? breaker.run(async () => vendor.verify(claim, timeoutMs));
}
