import { PortageError } from '@portage/domain';

/** Too much was asked for; from `retryAfterSeconds` on it works again (DESIGN 1). */
export class Throttled extends PortageError {
  readonly retryAfterSeconds: number;

  constructor(detail: string, milliseconds: number) {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
    super('throttled', `${detail} Try again in ${seconds} s.`);
    this.retryAfterSeconds = seconds;
  }
}
