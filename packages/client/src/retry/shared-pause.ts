import type { Clock } from '../clock';

/**
 * A pause that applies to all requests. A service that responds to one of them with 429 or 503 is overloaded for
 * all of them; without a shared pause, the others would continue while one backs off.
 */
export class SharedPause {
  private pausedUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Pauses all requests for `ms`, unless a longer pause is in progress. */
  pauseFor(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
  }

  /** Resolves when no pause is in progress, or when `stop` is aborted. */
  async wait(stop: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.pausedUntil - this.clock.now();
      if (left <= 0 || stop.aborted) return;
      await this.clock.sleep(left, stop);
    }
  }
}
