/** Runs its next step. Returns true once it has ended. */
type Work = () => boolean;

/** The long work of this process, which has one event loop. The first entry has the next turn. */
const waiting: Work[] = [];
let isScheduled = false;

/**
 * Runs long CPU work one step a turn of the event loop, so that other requests are served in between. All long work of
 * the process takes turns: a turn has one step, however many requests have such work.
 *
 * @param steps its steps should take about a millisecond
 * @throws what `steps` throws
 */
export async function runInTurns<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  return new Promise((resolve, reject) => {
    enqueue(() => {
      try {
        const { done, value } = steps.next();
        if (done) resolve(value);
        return done === true;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    });
  });
}

/**
 * Waits for a turn of the event loop for work that cannot be divided. What follows, up to the next await, is the only
 * long work of that turn.
 */
export async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    enqueue(() => {
      resolve();
      return true;
    });
  });
}

function enqueue(work: Work): void {
  waiting.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  // After the event loop has polled for input and output, so that other requests come first.
  setImmediate(() => {
    isScheduled = false;
    const work = waiting.shift();
    if (work && !work()) waiting.push(work);
    schedule();
  });
}

/** Time after which long work of many small steps lets other work of the process run. */
const SLICE_MS = 1;

/** Divides work of many small steps into slices, between which other requests are served. */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  /** Waits for a turn of the event loop if the slice is over. */
  async pause(): Promise<void> {
    if (performance.now() < this.end) return;
    await nextTurn();
    this.end = performance.now() + SLICE_MS;
  }
}
