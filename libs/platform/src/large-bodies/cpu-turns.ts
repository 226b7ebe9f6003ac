/** The long work of this process that waits for a turn of the event loop. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Waits for a turn of the event loop. What follows, up to the next await, is the only long work of that turn, however
 * many requests have such work.
 */
export async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  // After the event loop has polled for input and output, so that other requests come first.
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
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

/** Maps items in slices, in their order. One item should take about a millisecond at most. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const slice = new TimeSlice();
  const results: Result[] = [];
  for (const item of items) {
    await slice.pause();
    results.push(map(item));
  }
  return results;
}

/**
 * Runs work in slices. Work that is done within one slice does not wait.
 *
 * @param steps its steps should take about a millisecond at most
 * @throws what `steps` throws
 */
export async function runInSlices<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  const slice = new TimeSlice();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await slice.pause();
  }
}
