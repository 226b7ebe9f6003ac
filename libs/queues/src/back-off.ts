import type { BackoffStrategy } from 'bullmq';
import type { QueueSettings } from './queue-settings';

/** Thrown by a job that is to be tried again no sooner than somebody has asked for. */
export class TryAgainAfter extends Error {
  override readonly name = 'TryAgainAfter';

  /** @param code stored with the job */
  constructor(
    code: string,
    readonly milliseconds: number,
  ) {
    super(code);
  }
}

/** The name of {@link backOff} in the options of jobs. */
export const BACK_OFF = 'doubling-or-told';

type BackOffSettings = Pick<QueueSettings, 'backoffMilliseconds' | 'backoffJitter'>;

/** Pauses between attempts: each twice as long as the one before, and no shorter than TryAgainAfter says. */
export function backOff({ backoffMilliseconds, backoffJitter }: BackOffSettings): BackoffStrategy {
  return (attemptsMade, _type, error) => {
    const longest = backoffMilliseconds * 2 ** (attemptsMade - 1);
    const pause = longest * (1 - backoffJitter * Math.random());
    return Math.round(error instanceof TryAgainAfter ? Math.max(pause, error.milliseconds) : pause);
  };
}

/** The longest that all pauses of a job can take together when nobody tells it to wait longer. */
export function longestPauses({ attempts, backoffMilliseconds }: QueueSettings): number {
  return backoffMilliseconds * (2 ** (attempts - 1) - 1);
}
