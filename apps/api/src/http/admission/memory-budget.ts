/** The limit that a reservation would exceed: that of its owner, or that of the whole process. */
export type ExceededLimit = 'owner' | 'process';

/** The limits of a {@link MemoryBudget}, in bytes. */
export interface MemoryLimits {
  readonly perOwner: number;
  readonly total: number;
}

/** Counts the memory that is in use, of each owner and of all. It allocates nothing itself. */
export class MemoryBudget {
  private readonly usedBytes = new Map<string, number>();
  private totalBytes = 0;

  constructor(private readonly limits: MemoryLimits) {}

  /** Memory that is in use. */
  get total(): number {
    return this.totalBytes;
  }

  /** A reservation of zero bytes, which grows by {@link MemoryReservation.grow}. */
  open(owner: string): MemoryReservation {
    return new MemoryReservation(this, owner);
  }

  /** Takes `bytes` for an owner, or returns the limit that prevents it. */
  take(owner: string, bytes: number): ExceededLimit | undefined {
    const used = (this.usedBytes.get(owner) ?? 0) + bytes;
    if (used > this.limits.perOwner) return 'owner';
    if (this.totalBytes + bytes > this.limits.total) return 'process';
    this.usedBytes.set(owner, used);
    this.totalBytes += bytes;
    return undefined;
  }

  /** Reverts {@link take}. An owner without memory in use has no entry. */
  giveBack(owner: string, bytes: number): void {
    const used = (this.usedBytes.get(owner) ?? 0) - bytes;
    if (used > 0) this.usedBytes.set(owner, used);
    else this.usedBytes.delete(owner);
    this.totalBytes -= bytes;
  }
}

/** The memory of one request. */
export class MemoryReservation {
  private bytes = 0;
  private isReleased = false;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly owner: string,
  ) {}

  /** Raises the reservation to `bytes` if it is smaller, or returns the limit that prevents it. */
  grow(bytes: number): ExceededLimit | undefined {
    const missing = bytes - this.bytes;
    if (missing <= 0 || this.isReleased) return undefined;
    const exceeded = this.budget.take(this.owner, missing);
    if (exceeded === undefined) this.bytes = bytes;
    return exceeded;
  }

  /** Gives the memory back; idempotent. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.budget.giveBack(this.owner, this.bytes);
  }
}
