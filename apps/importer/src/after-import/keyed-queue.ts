/** Runs tasks with the same key one after the other, in order, and tasks with different keys concurrently. */
export class KeyedQueue {
  private readonly lastByKey = new Map<string, Promise<void>>();

  /** Resolves or rejects when the task is done. A failed task does not stop later tasks with the same key. */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    const task = (this.lastByKey.get(key) ?? Promise.resolve()).then(work, work);
    this.lastByKey.set(key, task);
    try {
      await task;
    } finally {
      if (this.lastByKey.get(key) === task) this.lastByKey.delete(key);
    }
  }
}
