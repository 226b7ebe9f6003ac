interface Read<Result> {
  running: Promise<Result>;
  /** Begins when `running` has ended. */
  next?: Promise<Result>;
}

/**
 * Shares reads among those who ask for the same at the same time. Of each key at most one read runs in this process:
 * callers that ask meanwhile share the next one, which begins when it has ended. So a caller gets a state that is not older
 * than its call.
 */
export class SharedReads<Result> {
  private readonly reads = new Map<string, Read<Result>>();

  /** @throws the error of the shared read */
  async join(key: string, read: () => Promise<Result>): Promise<Result> {
    const found = this.reads.get(key);
    if (!found) return this.start(key, read);
    found.next ??= found.running.catch(() => undefined).then(async () => this.start(key, read));
    return found.next;
  }

  private async start(key: string, read: () => Promise<Result>): Promise<Result> {
    const entry: Read<Result> = { running: read() };
    this.reads.set(key, entry);
    try {
      return await entry.running;
    } finally {
      // A read that waits takes the place of this one.
      if (!entry.next) this.reads.delete(key);
    }
  }
}
