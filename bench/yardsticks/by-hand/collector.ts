interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Takes all that is waiting, up to `most`, whenever one of its slots is free, and never waits for more. Not the one
 * of Portage (libs/batching), so that a yardstick is not as slow as what it measures.
 */
export class Collector<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private busy = 0;

  constructor(
    private readonly run: (items: Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
    private readonly slots: number,
  ) {}

  async add(item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      this.waiting.push({ item, done, failed });
      if (this.busy < this.slots) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.busy += 1;
    // What arrives in the same turn of the event loop goes along.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, this.most);
      this.waiting = this.waiting.slice(this.most);
      try {
        const results = await this.run(batch.map(({ item }) => item));
        batch.forEach(({ done }, index) => {
          done(results[index] as Result);
        });
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.busy -= 1;
  }
}
