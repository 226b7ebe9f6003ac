/** Injection token of the {@link Clock} that the use cases read the time from. */
export const CLOCK = Symbol('CLOCK');
