/**
 * Work in steps of about a millisecond: each `yield` ends one, so that the caller can let other work run before it
 * continues. Work that is small is done in one step.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * Members of lists that one step reads or checks. A list that would exceed it is continued in the next step, so that an
 * account of usual size takes one step.
 */
export const MEMBERS_OF_STEP = 64;

/** Runs all steps at once. */
export function complete<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
