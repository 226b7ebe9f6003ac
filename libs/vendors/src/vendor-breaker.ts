import { type Clock } from '@portage/domain';
import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  isBrokenCircuitError,
} from 'cockatiel';
import { unavailable, type VendorOutcome } from './payment-vendor';

export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one question is let through. */
  readonly pauseMs: number;
}

/**
 * Leaves a vendor alone that fails again and again: then every question gets `vendor_paused` at once. After a pause one
 * question is let through, and its outcome decides. A refusal is an answer, and proves that the vendor is there.
 */
export class VendorBreaker {
  private readonly policy: CircuitBreakerPolicy;
  private openedAt = 0;

  constructor(
    private readonly limits: BreakerLimits,
    private readonly clock: Clock,
    onChange: (state: BreakerState) => void = () => undefined,
  ) {
    this.policy = circuitBreaker(
      handleWhenResult((result) => isFailureOfTheVendor(result as VendorOutcome)),
      { breaker: new ConsecutiveBreaker(limits.failures), halfOpenAfter: limits.pauseMs },
    );
    this.policy.onStateChange(() => {
      if (this.state === 'open') this.openedAt = clock.now().getTime();
      onChange(this.state);
    });
  }

  get state(): BreakerState {
    if (this.policy.state === CircuitState.Closed) return 'closed';
    return this.policy.state === CircuitState.HalfOpen ? 'half-open' : 'open';
  }

  async run(ask: () => Promise<VendorOutcome>): Promise<VendorOutcome> {
    // The library would let everybody wait for the one question that is under way, past their own deadlines.
    if (this.state === 'half-open') return unavailable('vendor_paused');
    try {
      return await this.policy.execute(ask);
    } catch (error) {
      if (!isBrokenCircuitError(error)) throw error;
      const left = this.openedAt + this.limits.pauseMs - this.clock.now().getTime();
      return unavailable('vendor_paused', Math.min(Math.max(left, 0), this.limits.pauseMs));
    }
  }
}

/** A missing key is the operator's: no pause mends it, and it should be told as what it is. */
function isFailureOfTheVendor(outcome: VendorOutcome): boolean {
  return outcome.outcome === 'unavailable' && outcome.code !== 'vendor_not_configured';
}
