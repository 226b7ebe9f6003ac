interface Waiting<Item> {
  items: readonly Item[];
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Sends together what arrives while earlier items are on their way, and never waits for more: alone, an item goes at
 * once; under load a batch grows by itself to what one round trip can carry.
 */
export class Batches<Item> {
  private readonly waiting: Waiting<Item>[] = [];
  private isSending = false;

  /**
   * @param send takes a batch to its end
   * @param most items in a batch, unless more were added at once
   */
  constructor(
    private readonly send: (items: Item[]) => Promise<void>,
    private readonly most: number,
  ) {}

  /** Settles as the batch does that the items go with. */
  async add(items: readonly Item[]): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.waiting.push({ items, done, failed });
      if (!this.isSending) void this.sendAll();
    });
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const batch = this.take();
      try {
        await this.send(batch.flatMap(({ items }) => items));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.isSending = false;
  }

  private take(): Waiting<Item>[] {
    let count = 0;
    let size = 0;
    while (size < this.waiting.length && (size === 0 || count < this.most)) {
      count += this.waiting[size]?.items.length ?? 0;
      size += 1;
    }
    return this.waiting.splice(0, size);
  }
}
