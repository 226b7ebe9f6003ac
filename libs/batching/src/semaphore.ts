/** Runs a limited number of operations at the same time. Further ones start in the order of their arrival. */
export class Semaphore {
  private runningCount = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /** Settles as `operation` does. */
  async run<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (this.runningCount >= this.maxConcurrent)
      // The operation that ends passes its place on, so that no later one takes it.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.runningCount += 1;
    try {
      return await operation();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.runningCount -= 1;
    }
  }
}
