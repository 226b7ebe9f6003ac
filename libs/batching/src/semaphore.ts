/**
 * Runs a limited number of operations at the same time. Further ones start in the order of their arrival, except that
 * urgent ones start before the others.
 */
export class Semaphore {
  private runningCount = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly urgent: (() => void)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /** Settles as `operation` does. */
  async run<Result>(operation: () => Promise<Result>, isUrgent = false): Promise<Result> {
    if (this.runningCount >= this.maxConcurrent)
      // The operation that ends passes its place on, so that no later one takes it.
      await new Promise<void>((resolve) => (isUrgent ? this.urgent : this.waiting).push(resolve));
    else this.runningCount += 1;
    try {
      return await operation();
    } finally {
      const next = this.urgent.shift() ?? this.waiting.shift();
      if (next) next();
      else this.runningCount -= 1;
    }
  }
}
