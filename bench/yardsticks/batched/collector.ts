interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces concurrent items into batches of at most `maxItems`, with at most `maxConcurrent` batches in flight. It does
 * not use libs/platform/src/batching, so that the yardstick is independent of the measured code.
 */
export class Collector<Item, Result> {
  private pending: PendingItem<Item, Result>[] = [];
  private runningCount = 0;

  constructor(
    private readonly run: (items: Item[]) => Promise<readonly Result[]>,
    private readonly maxItems: number,
    private readonly maxConcurrent: number,
  ) {}

  async add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      if (this.runningCount < this.maxConcurrent) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.runningCount += 1;
    // Items of the same turn of the event loop join the batch.
    await new Promise(setImmediate);
    while (this.pending.length > 0) {
      const batch = this.pending.slice(0, this.maxItems);
      this.pending = this.pending.slice(this.maxItems);
      try {
        const results = await this.run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.runningCount -= 1;
  }
}
