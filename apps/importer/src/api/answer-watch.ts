import { type Clock, type RequestObserver } from '@portage/client';

/**
 * Observes whether the service answers. A request that is repeated because of a lost connection, a timeout, 429 or 5xx
 * has no answer yet.
 */
export class AnswerWatch implements RequestObserver {
  private waitingCount = 0;
  private lastAnswerAt = 0;
  private isFailing = false;
  private lastFailure: string | undefined;
  private noticedAt: number | undefined;

  constructor(private readonly clock: Clock) {}

  begin(): void {
    if (this.waitingCount === 0 && !this.isFailing) this.lastAnswerAt = this.clock.now();
    this.waitingCount += 1;
  }

  /** @param isAnswered false if the request was given up */
  end(isAnswered: boolean): void {
    this.waitingCount -= 1;
    this.isFailing = !isAnswered;
    if (isAnswered) {
      this.lastAnswerAt = this.clock.now();
      this.lastFailure = undefined;
    }
  }

  recordFailure(reason: string): void {
    this.lastFailure = reason;
  }

  /**
   * A line for the user if requests have waited for `stallMs` without any answer, again after each further `stallMs`,
   * and once when the service answers again. Undefined otherwise.
   */
  notice(stallMs: number): string | undefined {
    const now = this.clock.now();
    const silentMs = now - this.lastAnswerAt;
    if (this.waitingCount > 0 && silentMs >= stallMs) {
      if (this.noticedAt !== undefined && now - this.noticedAt < stallMs) return undefined;
      this.noticedAt = now;
      const reason = this.lastFailure === undefined ? '' : ` (latest attempt: ${this.lastFailure})`;
      const seconds = Math.floor(silentMs / 1000);
      return `The service has not answered for ${seconds} s${reason}. Waiting requests: ${this.waitingCount}. They are retried.`;
    }
    if (this.noticedAt === undefined || this.isFailing || silentMs >= stallMs) return undefined;
    this.noticedAt = undefined;
    return 'The service answers again.';
  }
}
