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

/** Thrown by a processor whose job need not wait for the whole pause of its queue. */
export class RetryWithinError extends Error {
  override readonly name = 'RetryWithinError';

  /** @param code stored with the job */
  constructor(
    code: string,
    readonly maxPauseMs: number,
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
 * Exponential backoff with jitter: each pause is twice as long as the last one, not shorter than RetryAfterError, and not
 * longer than RetryWithinError.
 */
export function backoffStrategy({ initialBackoffMs, backoffJitter }: BackoffSettings): BackoffStrategy {
  return (attemptsMade, _type, error) => {
    const ofQueue = initialBackoffMs * 2 ** (attemptsMade - 1);
    const maxPauseMs = error instanceof RetryWithinError ? Math.min(ofQueue, error.maxPauseMs) : ofQueue;
    const pauseMs = maxPauseMs * (1 - backoffJitter * Math.random());
    return Math.round(error instanceof RetryAfterError ? Math.max(pauseMs, error.delayMs) : pauseMs);
  };
}

/** The maximum of all pauses of a job together, in milliseconds, if no attempt ends with RetryAfterError. */
export function maxTotalBackoffMs({ attempts, initialBackoffMs }: QueueSettings): number {
  return initialBackoffMs * (2 ** (attempts - 1) - 1);
}
