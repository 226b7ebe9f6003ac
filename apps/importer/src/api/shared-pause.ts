import { type Clock } from '../clock';

/**
 * One pause for all requests. A service that answers 429 or 503 to one of them is asking all of them to wait;
 * without this, the others would go on knocking while one backs off.
 */
export class SharedPause {
  private until = 0;

  constructor(private readonly clock: Clock) {}

  /** Nothing passes for the next `ms`; a longer pause already under way stays. */
  hold(ms: number): void {
    this.until = Math.max(this.until, this.clock.now() + ms);
  }

  async passed(stop: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.until - this.clock.now();
      if (left <= 0 || stop.aborted) return;
      await this.clock.sleep(left, stop);
    }
  }
}
