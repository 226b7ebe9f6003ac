import type { Clock } from '@portage/platform';
import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  isBrokenCircuitError,
} from 'cockatiel';
import { unavailable, type VendorOutcome } from './payment-vendor';

/** The states of a circuit breaker, as the metric `portage_vendor_breaker` labels them. */
export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface BreakerLimits {
  /** Consecutive failures that open the breaker. */
  readonly maxFailures: number;
  /** How long the breaker stays open before it lets one probe request through. */
  readonly pauseMs: number;
}

/**
 * The circuit breaker of one vendor. After repeated failures it opens, and every request gets `vendor_paused` at once.
 * After a pause one probe request decides whether it closes or opens again. A refusal counts as a success, since the
 * vendor responded.
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
      handleWhenResult((result) => isVendorFailure(result as VendorOutcome)),
      { breaker: new ConsecutiveBreaker(limits.maxFailures), halfOpenAfter: limits.pauseMs },
    );
    this.policy.onStateChange(() => {
      if (this.policy.state === CircuitState.Open) this.openedAt = clock.now().getTime();
      onChange(this.state);
    });
  }

  /** The state of the moment, also without calls: half-open once the next call would be a probe, or while one runs. */
  get state(): BreakerState {
    if (this.policy.state === CircuitState.Closed) return 'closed';
    return this.policy.state === CircuitState.HalfOpen || this.remainingMs <= 0 ? 'half-open' : 'open';
  }

  /** Time at which the breaker opened last; undefined while it is closed. */
  get openSince(): Date | undefined {
    return this.state === 'closed' ? undefined : new Date(this.openedAt);
  }

  /** Runs `request`, or returns `vendor_paused` while the breaker is open. */
  async run(request: () => Promise<VendorOutcome>): Promise<VendorOutcome> {
    // cockatiel would make every caller wait for the probe request, past the caller's own deadline.
    if (this.policy.state === CircuitState.HalfOpen) return unavailable('vendor_paused');
    try {
      return await this.policy.execute(request);
    } catch (error) {
      if (!isBrokenCircuitError(error)) throw error;
      return unavailable('vendor_paused', Math.min(Math.max(this.remainingMs, 0), this.limits.pauseMs));
    }
  }

  private get remainingMs(): number {
    return this.openedAt + this.limits.pauseMs - this.clock.now().getTime();
  }
}

/** A missing key does not count as a failure: a pause does not help, and the client should see the real code. */
function isVendorFailure(outcome: VendorOutcome): boolean {
  return outcome.outcome === 'unavailable' && outcome.code !== 'vendor_not_configured';
}
