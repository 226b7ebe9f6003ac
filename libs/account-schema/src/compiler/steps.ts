/**
 * Long work that pauses: each `yield` ends a time slice, so that its caller can let other work run before it continues.
 * The result is the same as without pauses.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * Length of a time slice, in milliseconds. A small request takes several turns of the event loop, and waits for a
 * slice in each of them. Work on one object or one check of a rule is not divided, so that a slice can be somewhat
 * longer.
 */
const SLICE_MS = 1;

/** The current time slice of {@link Steps}. */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  /** True if the steps should pause: `if (slice.isOver) yield* slice.pause();`. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Pauses, and begins the next slice when the steps continue. */
  *pause(): Steps<void> {
    yield;
    this.end = performance.now() + SLICE_MS;
  }
}
