import type { Pass } from './pass';

/**
 * Checks and converts one value in a single pass. It returns
 * - undefined if the value is valid and needs no conversion. This path must be fast: comparing with undefined is
 *   the cheapest comparison, while comparing the result with the value took a third of the validation time.
 * - ABSENT if the value counts as not sent.
 * - a Fault if the value is invalid; the caller reports it at the value's path.
 * - FAILED if something inside the value was invalid and has been reported already.
 * - any other value to store instead of the one that was sent.
 */
export type Reader = (value: unknown, pass: Pass) => unknown;

/** Returned by a reader for a value that counts as not sent. */
export const ABSENT = Symbol('absent');
/** Returned by a reader whose errors have been reported already. */
export const FAILED = Symbol('failed');
