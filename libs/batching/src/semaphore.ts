/**
 * Runs a limited number of operations at the same time. Further ones start by their rank, lowest first, and within a
 * rank in the order of their arrival.
 */
export class Semaphore {
  private runningCount = 0;
  /** The operations that wait, by their rank. */
  private readonly waiting: ((() => void)[] | undefined)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /**
   * Settles as `operation` does.
   *
   * @param rank a small whole number
   */
  async run<Result>(operation: () => Promise<Result>, rank = 0): Promise<Result> {
    if (this.runningCount >= this.maxConcurrent)
      // The operation that ends passes its place on, so that no later one takes it.
      await new Promise<void>((resolve) => (this.waiting[rank] ??= []).push(resolve));
    else this.runningCount += 1;
    try {
      return await operation();
    } finally {
      const next = this.waiting.find((ranked) => ranked?.[0])?.shift();
      if (next) next();
      else this.runningCount -= 1;
    }
  }
}
