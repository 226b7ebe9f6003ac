import { type Pass } from './pass';

/**
 * Checks and converts one value in one go. It answers
 * - undefined, when the value is right as it is: the one path that has to be fast (comparing with undefined is
 *   the cheapest comparison there is; comparing the answer with the value cost a third of a validation),
 * - ABSENT, when the value counts as not sent,
 * - a Fault, when it is wrong and the caller is to report it at its own place,
 * - FAILED, when something inside was wrong and has been reported already,
 * - anything else: the value to be stored instead.
 */
export type Reader = (value: unknown, pass: Pass) => unknown;

export const ABSENT = Symbol('absent');
export const FAILED = Symbol('failed');
