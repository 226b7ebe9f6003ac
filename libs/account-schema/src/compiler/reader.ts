import { type Pass } from './pass';

/**
 * Checks and converts one value in one go. It answers
 * - the value itself, when it is right as it is: the only path that has to be fast,
 * - another value, the one to be stored instead,
 * - ABSENT, when the value counts as not sent,
 * - a Fault, when it is wrong and the caller is to report it at its own place,
 * - FAILED, when something inside was wrong and has been reported already.
 */
export type Reader = (value: unknown, pass: Pass) => unknown;

export const ABSENT = Symbol('absent');
export const FAILED = Symbol('failed');
