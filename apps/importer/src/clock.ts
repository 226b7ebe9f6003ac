import { setTimeout as timer } from 'node:timers/promises';

/** Time as the importer sees it, so that tests need not wait. Milliseconds throughout. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when `until` is aborted: a stop must not wait for a back-off to end. */
  sleep(ms: number, until?: AbortSignal): Promise<void>;
}

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
