import type { BackoffStrategy } from 'bullmq';
import type { QueueSettings } from './job-contract';

/** Thrown by a processor whose job must not be retried before a given time. */
export class RetryAfterError extends Error {
  override readonly name = 'RetryAfterError';

  /** @param code stored with the job */
  constructor(
    code: string,
    readonly delayMs: number,
  ) {
    super(code);
  }
}

/**
 * Backoff type in the options of jobs. Workers use {@link backoffStrategy} for every type that BullMQ does not know.
 */
export const BACKOFF_TYPE = 'exponential-with-minimum';

type BackoffSettings = Pick<QueueSettings, 'initialBackoffMs' | 'backoffJitter'>;

/**
 * Exponential backoff with jitter: each pause is twice as long as the last one, and not shorter than RetryAfterError.
 */
export function backoffStrategy({ initialBackoffMs, backoffJitter }: BackoffSettings): BackoffStrategy {
  return (attemptsMade, _type, error) => {
    const maxPauseMs = initialBackoffMs * 2 ** (attemptsMade - 1);
    const pauseMs = maxPauseMs * (1 - backoffJitter * Math.random());
    return Math.round(error instanceof RetryAfterError ? Math.max(pauseMs, error.delayMs) : pauseMs);
  };
}

/** The maximum of all pauses of a job together, in milliseconds, if no attempt ends with RetryAfterError. */
export function maxTotalBackoffMs({ attempts, initialBackoffMs }: QueueSettings): number {
  return initialBackoffMs * (2 ** (attempts - 1) - 1);
}
