/** Where the time comes from. Rules never ask the machine. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
