/** How large batches may grow, and what must not meet in one. */
export interface BatchLimits<Item> {
  /** Items in one batch. */
  readonly maxSize: number;
  /** Batches on their way at once, where those before are slow or the next one is full; 1 unless said otherwise. */
  readonly maxConcurrent?: number;
  /** From when on a batch is slow, so that the next need not wait for it; at once unless said otherwise. */
  readonly slowAfterMs?: number;
  /** Weight of a batch, unless one item alone is heavier. */
  readonly maxWeight?: number;
  readonly weightOf?: (item: Item) => number;
  /** Items of one key never go together: the later ones wait for the next batch. */
  readonly keyOf?: (item: Item) => string;
  /** Whether one item may be to blame for a batch that failed. Then each is tried alone and gets its own outcome. */
  readonly retryIndividually?: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Does together what is added at once, or while the batch before is on its way, and never waits for more: alone, an
 * item goes at once; under load a batch grows by itself to what one round trip can carry. A batch that is slow, for
 * it waits for a lock or the way is long, does not hold up the others, and one that is full waits for nobody: it would
 * gain nothing by it.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  private readonly slow = new Set<object>();
  private isStarting = false;

  /** @param run does a batch, and returns the results in the order of its items */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  /** Settles with the item's own result, or as its batch fails. */
  async add(item: Item): Promise<Result> {
    return new Promise<Result>((done, failed) => {
      this.waiting.push({ item, done, failed });
      if (this.isStarting) return;
      this.isStarting = true;
      // Once all that has arrived is read: the first of sixteen would go alone, and the others wait for it.
      setImmediate(() => {
        this.isStarting = false;
        this.start();
      });
    });
  }

  private start(): void {
    const { maxConcurrent = 1, maxSize } = this.limits;
    const isDue = () => this.underWay === this.slow.size || this.waiting.length >= maxSize;
    while (this.waiting.length > 0 && this.underWay < maxConcurrent && isDue()) void this.runNext();
  }

  private async runNext(): Promise<void> {
    const batch = this.take();
    const timer = setTimeout(() => {
      this.slow.add(batch);
      this.start();
    }, this.limits.slowAfterMs);
    this.underWay += 1;
    await this.settle(batch);
    clearTimeout(timer);
    this.underWay -= 1;
    this.slow.delete(batch);
    this.start();
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const [index, { done }] of batch.entries()) done(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && this.limits.retryIndividually?.(error))
        for (const one of batch) await this.settle([one]);
      else for (const { failed } of batch) failed(error);
    }
  }

  private take(): Waiting<Item, Result>[] {
    const { maxSize, maxWeight = Infinity, weightOf, keyOf } = this.limits;
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let weight = 0;
    let isFull = false;
    for (const one of this.waiting) {
      const key = keyOf?.(one.item);
      const heavier = weight + (weightOf?.(one.item) ?? 0);
      isFull ||= taken.length >= maxSize || (taken.length > 0 && heavier > maxWeight);
      if (isFull || (key !== undefined && keys.has(key))) {
        left.push(one);
        continue;
      }
      taken.push(one);
      weight = heavier;
      if (key !== undefined) keys.add(key);
    }
    this.waiting.splice(0, this.waiting.length, ...left);
    return taken;
  }
}
