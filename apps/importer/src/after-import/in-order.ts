/** Runs what has the same key one after the other, in the order in which it was given; the rest at the same time. */
export class InOrder {
  private readonly last = new Map<string, Promise<void>>();

  /** @returns when the work is done; its failure does not keep back what comes after it */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    const mine = (this.last.get(key) ?? Promise.resolve()).then(work, work);
    this.last.set(key, mine);
    try {
      await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
