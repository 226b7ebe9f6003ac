import { PortageError } from '../errors/portage-error';

/** A rate limit is reached (`throttled`, 429). The client may retry after `retryAfterSeconds`. */
export class Throttled extends PortageError {
  readonly retryAfterSeconds: number;

  /** @param remainingMs time until the limit is reset */
  constructor(detail: string, remainingMs: number) {
    const seconds = Math.max(1, Math.ceil(remainingMs / 1_000));
    super('throttled', `${detail} Try again in ${seconds} s.`);
    this.retryAfterSeconds = seconds;
  }
}
