/** Injection token of the {@link Clock} that use cases ask. */
export const CLOCK = Symbol('CLOCK');
