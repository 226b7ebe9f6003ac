import { runBatch } from './run-batch';

/** Limits of batches: their size, their concurrency and the items that may share one. */
export interface BatchLimits<Item> {
  /** Maximum number of items in one batch. */
  readonly maxSize: number;
  /**
   * Maximum number of batches in flight. A further batch starts only if the earlier ones are slow or it is full.
   * Default: 1.
   */
  readonly maxConcurrent?: number;
  /** Time in milliseconds after which a batch is slow and the next one need not wait for it. Default: at once. */
  readonly slowAfterMs?: number;
  /** Maximum total weight of a batch. A heavier item forms a batch of its own. */
  readonly maxWeight?: number;
  readonly weightOf?: (item: Item) => number;
  /** Items with the same key never share a batch: the later ones wait for the next. */
  readonly keyOf?: (item: Item) => string;
}

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Coalesces concurrent items into batches. The first item is sent at once; items that arrive while a batch is in flight
 * form the next one. So a lone item is never delayed, and under load batches grow by themselves.
 *
 * A slow batch (it waits for a lock, or the connection is slow) does not delay the next one. A full batch does not wait
 * for the one before it, because waiting would not make it larger. Of a batch that fails because of one item the others
 * have their own outcomes ({@link runBatch}).
 */
export class Batcher<Item, Result> {
  private pending: PendingItem<Item, Result>[] = [];
  private inFlightCount = 0;
  private readonly slow = new Set<object>();
  private isStartScheduled = false;

  /** @param run performs a batch and returns the results in the order of its items. Safe to repeat */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  /** Settles as the item does, once its batch has ended. */
  async add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      if (this.isStartScheduled) return;
      this.isStartScheduled = true;
      // After all input of this turn of the event loop: otherwise the first of sixteen items would be sent alone.
      setImmediate(() => {
        this.isStartScheduled = false;
        this.startDueBatches();
      });
    });
  }

  private startDueBatches(): void {
    const { maxConcurrent = 1, maxSize } = this.limits;
    const isDue = () => this.inFlightCount === this.slow.size || this.pending.length >= maxSize;
    while (this.pending.length > 0 && this.inFlightCount < maxConcurrent && isDue()) void this.runNext();
  }

  private async runNext(): Promise<void> {
    const batch = this.takeBatch();
    const timer = setTimeout(() => {
      this.slow.add(batch);
      this.startDueBatches();
    }, this.limits.slowAfterMs);
    this.inFlightCount += 1;
    await this.settle(batch);
    clearTimeout(timer);
    this.inFlightCount -= 1;
    this.slow.delete(batch);
    this.startDueBatches();
  }

  private async settle(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    for (const [index, outcome] of (await runBatch(items, this.run)).entries()) {
      const { resolve, reject } = batch[index] as PendingItem<Item, Result>;
      if (outcome.status === 'fulfilled') resolve(outcome.value);
      else reject(outcome.reason);
    }
  }

  private takeBatch(): PendingItem<Item, Result>[] {
    const { maxSize, maxWeight = Infinity, weightOf, keyOf } = this.limits;
    const batch: PendingItem<Item, Result>[] = [];
    const skipped: PendingItem<Item, Result>[] = [];
    const keys = new Set<string>();
    let weight = 0;
    let next = 0;
    // Reads no further than the batch: a caller may add a hundred thousand items at once.
    for (const entry of this.pending) {
      const key = keyOf?.(entry.item);
      const newWeight = weight + (weightOf?.(entry.item) ?? 0);
      if (batch.length >= maxSize || (batch.length > 0 && newWeight > maxWeight)) break;
      next += 1;
      if (key !== undefined && keys.has(key)) {
        skipped.push(entry);
        continue;
      }
      batch.push(entry);
      weight = newWeight;
      if (key !== undefined) keys.add(key);
    }
    this.pending = skipped.concat(this.pending.slice(next));
    return batch;
  }
}
