import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  Logger,
  systemClock,
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
} from '@portage/platform';
import { GoCardlessMandates } from './gocardless-mandates';
import { type InstructionClaim, type PaymentVendor, refused, type VendorOutcome } from './payment-vendor';
import { StripeCards } from './stripe-cards';
import { VendorAccess } from './vendor-access';
import { BREAKER_STATES, type BreakerLimits, type BreakerState, VendorBreaker } from './vendor-breaker';
import { VendorMetrics } from './vendor-metrics';

export interface VendorLimits {
  /** A longer response is aborted. A payment method or mandate has a few kilobytes. */
  readonly maxResponseBytes: number;
  readonly breaker: BreakerLimits;
}

/** The breaker tolerates the failures of a few instructions with three attempts each, and probes soon. */
const DEFAULT_LIMITS: VendorLimits = {
  maxResponseBytes: 262_144,
  breaker: { maxFailures: 20, pauseMs: 5_000 },
};

/** A vendor as this process sees it. */
export interface VendorObservation {
  name: string;
  isConfigured: boolean;
  breaker: BreakerState;
  /** Since when the breaker is not closed. */
  since: string | null;
}

interface Entry {
  readonly vendor: PaymentVendor;
  readonly breaker: VendorBreaker;
}

/**
 * Verifies payment instructions at their vendors. Each vendor has its own circuit breaker (contract,
 * "Create a payment instruction").
 */
@Injectable()
export class PaymentVendors {
  private readonly entries: ReadonlyMap<string, Entry>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: VendorMetrics,
    private readonly logger: Logger,
    @Optional() private readonly limits: VendorLimits = DEFAULT_LIMITS,
  ) {
    const access = (base: string, key: string | undefined) =>
      new VendorAccess(base, key, limits.maxResponseBytes, config.PLATFORM_TIMEZONE);
    const vendors = [
      new StripeCards(access(config.STRIPE_API_BASE, config.STRIPE_API_KEY), systemClock),
      new GoCardlessMandates(access(config.GOCARDLESS_API_BASE, config.GOCARDLESS_ACCESS_TOKEN), systemClock),
    ];
    this.entries = new Map(
      vendors.map((vendor) => [vendor.code, { vendor, breaker: this.createBreaker(vendor.code) }]),
    );
    this.prepareCounters();
  }

  /**
   * Checks at the vendor that an instruction exists and can be collected. Sends at most one request: the queue retries.
   * Every result is an outcome, never an exception, and arrives within `timeoutMs` (at most `VENDOR_TIMEOUT_MS`).
   *
   * A vendor without a key is `unavailable`, not `refused`: the request is valid, and the same request succeeds as soon
   * as the operator has set the key.
   *
   * @param vendorCode as in the request; not case-sensitive
   */
  async verify(
    vendorCode: string,
    claim: InstructionClaim,
    { timeoutMs = Infinity }: { readonly timeoutMs?: number } = {},
  ): Promise<VendorOutcome> {
    const code = vendorCode.toUpperCase();
    const entry = this.entries.get(code);
    const outcome = entry
      ? await verifyWith(entry, claim, Math.min(timeoutMs, this.config.VENDOR_TIMEOUT_MS))
      : refused('vendor_not_supported');
    // An unknown code is text of a client. As a label it would create an unbounded number of series.
    this.record(entry ? code : 'other', outcome);
    return outcome;
  }

  /** The state of each vendor in this process. */
  observe(): VendorObservation[] {
    return [...this.entries].map(([name, { vendor, breaker }]) => ({
      name,
      isConfigured: vendor.isConfigured,
      breaker: breaker.state,
      since: breaker.openSince?.toISOString() ?? null,
    }));
  }

  /** Sets the metric of the breakers to their states of the moment. */
  observeBreakers(): void {
    for (const [vendor, { breaker }] of this.entries)
      for (const state of BREAKER_STATES)
        this.metrics.breaker.set({ vendor, state }, breaker.state === state ? 1 : 0);
  }

  private record(vendor: string, outcome: VendorOutcome): void {
    const code = outcome.outcome === 'verified' ? '' : outcome.code;
    this.metrics.calls.inc({ vendor, outcome: outcome.outcome, code });
    if (code === 'vendor_access_denied' || code === 'vendor_not_configured' || code === 'vendor_redirected')
      this.logger.error('The key or the base URL of a payment vendor is missing or wrong.', {
        vendor,
        code,
      });
  }

  /** A counter that begins at 0 shows its first increase. */
  private prepareCounters(): void {
    const { calls } = this.metrics;
    for (const vendor of this.entries.keys()) {
      calls.inc({ vendor, outcome: 'verified', code: '' }, 0);
      for (const code of Object.keys(VENDOR_REFUSALS)) calls.inc({ vendor, outcome: 'refused', code }, 0);
      for (const code of Object.keys(VENDOR_FAILURES)) calls.inc({ vendor, outcome: 'unavailable', code }, 0);
    }
  }

  private createBreaker(vendor: string): VendorBreaker {
    return new VendorBreaker(this.limits.breaker, systemClock, (state) => {
      if (state === 'open')
        this.logger.warn('The circuit breaker of a payment vendor opened after repeated failures.', {
          vendor,
        });
      if (state === 'closed') this.logger.log('The circuit breaker of a payment vendor closed.', { vendor });
    });
  }
}

/** A claim that is refused without a request says nothing about the vendor, so the breaker does not count it. */
async function verifyWith(
  { vendor, breaker }: Entry,
  claim: InstructionClaim,
  timeoutMs: number,
): Promise<VendorOutcome> {
  return vendor.findObjection(claim) ?? breaker.run(async () => vendor.verify(claim, timeoutMs));
}
