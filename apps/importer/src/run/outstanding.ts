import { Fifo } from './fifo';

/** An accepted account whose process has not ended, as far as is known. */
export interface OutstandingAccount {
  line: number;
  supplier: string;
  externalAccountNumber: string;
  externalIdentifier: string;
}

interface Entry {
  /** Position in the order of acceptance. */
  order: number;
  account: OutstandingAccount;
  /** True if the process ended while the account was still queued, as found by a probe. */
  ended: boolean;
}

interface OvertakenAccount {
  entry: Entry;
  dueAt: number;
}

/** Pauses between polls of an overtaken account, by the number of polls since it was overtaken. */
const OVERTAKEN_WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Decides which accounts to poll next, so that each is polled about once however many are outstanding.
 *
 * Processes end nearly in the order of acceptance, so only the front of the queue is polled until it has ended. An
 * account is overtaken if a later one has ended; overtaken accounts are polled at growing intervals. While the front
 * does not move, a random account from further back (the probe) shows whether later processes have ended.
 */
export class Outstanding {
  private readonly queue = new Fifo<Entry>();
  private front: Entry[] = [];
  private readonly entries = new Map<OutstandingAccount, Entry>();
  private readonly overtaken = OVERTAKEN_WAITS_MS.map(() => new Fifo<OvertakenAccount>());
  private accepted = 0;
  private ended = 0;

  constructor(private readonly random: () => number) {}

  get size(): number {
    return this.accepted - this.ended;
  }

  add(account: OutstandingAccount): void {
    const entry = { order: this.accepted, account, ended: false };
    this.entries.set(account, entry);
    this.queue.push(entry);
    this.accepted += 1;
  }

  /** Records that an account has ended, as its event has shown. */
  end(account: OutstandingAccount): void {
    const entry = this.entries.get(account);
    if (entry) this.markEnded([entry]);
  }

  /**
   * Polls the next accounts, about `width` of them. `poll` returns those that have ended.
   *
   * @returns how many accounts were polled, how many of them had ended, and whether accounts at the front are still
   *   pending, in which case the caller should pause before the next poll
   */
  async pollNext(
    width: number,
    now: number,
    poll: (accounts: OutstandingAccount[]) => Promise<Set<OutstandingAccount>>,
  ): Promise<{ polled: number; ended: number; isFrontPending: boolean }> {
    const due = this.takeDueOvertaken(Math.ceil(width / 2), now);
    this.front = this.front.filter((entry) => !entry.ended);
    const isFrontPending = this.front.length > 0;
    this.fillFront(width);
    const probe = isFrontPending ? this.pickProbe() : undefined;
    const entries = [
      ...due.map(({ entry }) => entry),
      ...this.front,
      ...(probe === undefined ? [] : [probe]),
    ];
    const endedAccounts = await poll(entries.map(({ account }) => account));

    const ended = entries.filter((entry) => endedAccounts.has(entry.account));
    this.markEnded(ended);
    for (const { entry, level } of due) if (!entry.ended) this.addOvertaken(entry, level + 1, now);
    this.updateFront(Math.max(-1, ...ended.map(({ order }) => order)), now);
    return { polled: entries.length, ended: ended.length, isFrontPending: this.front.length > 0 };
  }

  /** The outstanding accounts, oldest first within each group. */
  *[Symbol.iterator](): Generator<OutstandingAccount> {
    for (const entries of this.overtaken)
      for (const { entry } of entries) if (!entry.ended) yield entry.account;
    for (const entry of this.front) if (!entry.ended) yield entry.account;
    for (const entry of this.queue) if (!entry.ended) yield entry.account;
  }

  private markEnded(entries: readonly Entry[]): void {
    for (const entry of entries)
      if (!entry.ended) {
        entry.ended = true;
        this.ended += 1;
        this.entries.delete(entry.account);
      }
  }

  private updateFront(youngestEnded: number, now: number): void {
    const left = this.front.filter((entry) => !entry.ended);
    this.front = left.filter((entry) => entry.order > youngestEnded);
    for (const entry of left) if (entry.order < youngestEnded) this.addOvertaken(entry, 0, now);
  }

  private fillFront(width: number): void {
    while (this.front.length < width) {
      const next = this.queue.shift();
      if (next === undefined) return;
      if (!next.ended) this.front.push(next);
    }
  }

  private pickProbe(): Entry | undefined {
    const entry = this.queue.at(Math.floor(this.random() * this.queue.size));
    return entry?.ended === false ? entry : undefined;
  }

  private addOvertaken(entry: Entry, level: number, now: number): void {
    const reached = Math.min(level, OVERTAKEN_WAITS_MS.length - 1);
    this.overtaken[reached]?.push({ entry, dueAt: now + (OVERTAKEN_WAITS_MS[reached] ?? 0) });
  }

  /** All accounts of a level wait equally long, so the first one of a level is always due first. */
  private takeDueOvertaken(limit: number, now: number): { entry: Entry; level: number }[] {
    const due: { entry: Entry; level: number }[] = [];
    for (const [level, entries] of this.overtaken.entries()) {
      while (due.length < limit && (entries.at(0)?.dueAt ?? Infinity) <= now) {
        const overtaken = entries.shift();
        if (overtaken !== undefined && !overtaken.entry.ended) due.push({ entry: overtaken.entry, level });
      }
    }
    return due;
  }
}
