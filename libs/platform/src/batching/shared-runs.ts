interface Run<Result> {
  running: Promise<Result>;
  /** Begins when `running` has ended. */
  next?: Promise<Result>;
}

/**
 * Shares runs among those who ask for the same at the same time. Of each key at most one run is in progress in this process:
 * callers that ask meanwhile share the next one, which begins when it has ended. So what a caller gets was read, or done,
 * after its call.
 */
export class SharedRuns<Result> {
  private readonly runs = new Map<string, Run<Result>>();

  /** @throws the error of the shared run */
  async join(key: string, run: () => Promise<Result>): Promise<Result> {
    const found = this.runs.get(key);
    if (!found) return this.start(key, run);
    found.next ??= found.running.catch(() => undefined).then(async () => this.start(key, run));
    return found.next;
  }

  private async start(key: string, run: () => Promise<Result>): Promise<Result> {
    const entry: Run<Result> = { running: run() };
    this.runs.set(key, entry);
    try {
      return await entry.running;
    } finally {
      // A run that waits takes the place of this one.
      if (!entry.next) this.runs.delete(key);
    }
  }
}
