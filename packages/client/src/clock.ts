import { setTimeout as timer } from 'node:timers/promises';

/** A clock, which tests replace so that they don't have to wait. All values are in milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as `until` is aborted, so that a stop does not wait for a backoff to end. */
  sleep(ms: number, until?: AbortSignal): Promise<void>;
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, until) => {
    try {
      await timer(ms, undefined, { signal: until });
    } catch (error) {
      if (until?.aborted !== true) throw error;
    }
  },
};
