/** The operations of one rank that wait, by their owner. */
type WaitingByOwner = Map<unknown, (() => void)[]>;

/** The order in which an operation starts if it has to wait. */
export interface Turn {
  /** A small whole number. Operations of a lower rank start first. */
  rank?: number;
  /** Within a rank, the owner with the fewest running operations has the next turn. */
  owner?: unknown;
}

/**
 * Runs a limited number of operations at the same time. Further ones start by their rank, lowest first, then in turns
 * of their owners, and those of one owner in the order of their arrival.
 */
export class Semaphore {
  private runningCount = 0;
  private readonly runningByOwner = new Map<unknown, number>();
  /** By rank. */
  private readonly waiting: (WaitingByOwner | undefined)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /** Settles as `operation` does. */
  async run<Result>(operation: () => Promise<Result>, { rank = 0, owner }: Turn = {}): Promise<Result> {
    if (this.runningCount >= this.maxConcurrent)
      // The operation that ends passes its place on, so that no later one takes it.
      await new Promise<void>((resolve) => {
        this.enqueue(rank, owner, resolve);
      });
    else this.start(owner);
    try {
      return await operation();
    } finally {
      this.end(owner);
    }
  }

  private enqueue(rank: number, owner: unknown, start: () => void): void {
    const owners = (this.waiting[rank] ??= new Map<unknown, (() => void)[]>());
    const queue = owners.get(owner);
    if (queue) queue.push(start);
    else owners.set(owner, [start]);
  }

  private start(owner: unknown): void {
    this.runningCount += 1;
    this.runningByOwner.set(owner, this.runningOf(owner) + 1);
  }

  private end(owner: unknown): void {
    this.runningCount -= 1;
    const running = this.runningOf(owner) - 1;
    if (running === 0) this.runningByOwner.delete(owner);
    else this.runningByOwner.set(owner, running);
    const owners = this.waiting.find((waiting) => waiting !== undefined && waiting.size > 0);
    if (owners) this.startNext(owners);
  }

  private startNext(owners: WaitingByOwner): void {
    const [owner, queue] = [...owners].reduce((fewest, other) =>
      this.runningOf(other[0]) < this.runningOf(fewest[0]) ? other : fewest,
    );
    // Owners with equally many take turns.
    owners.delete(owner);
    const start = queue.shift();
    if (queue.length > 0) owners.set(owner, queue);
    this.start(owner);
    start?.();
  }

  private runningOf(owner: unknown): number {
    return this.runningByOwner.get(owner) ?? 0;
  }
}
