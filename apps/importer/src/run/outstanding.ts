import { Fifo } from './fifo';

/** An accepted account whose process has not been seen to end. */
export interface OutstandingAccount {
  line: number;
  supplier: string;
  externalAccountNumber: string;
  externalIdentifier: string;
}

interface Entry {
  /** Place in the order of acceptance. */
  order: number;
  account: OutstandingAccount;
  /** Ended while it still stood in the line: the scout found it. */
  ended: boolean;
}

interface Laggard {
  entry: Entry;
  dueAt: number;
}

/** How long a laggard is left alone, by how often it has been asked after since. */
const LAGGARD_WAITS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Decides which accounts to ask after next, so that each is asked after about once however long the line is.
 *
 * Processes end nearly in the order of acceptance, so only the front of the line is asked after, again and
 * again until it ends. One that is overtaken, when a younger one is seen to have ended, is a laggard and asked after
 * ever more rarely. While the front does not move, a scout from further back tells whether the rest does.
 */
export class Outstanding {
  private readonly line = new Fifo<Entry>();
  private front: Entry[] = [];
  private readonly laggards = LAGGARD_WAITS.map(() => new Fifo<Laggard>());
  private accepted = 0;
  private ended = 0;

  constructor(private readonly random: () => number) {}

  get size(): number {
    return this.accepted - this.ended;
  }

  add(account: OutstandingAccount): void {
    this.line.push({ order: this.accepted, account, ended: false });
    this.accepted += 1;
  }

  /**
   * Has `ask` find out which of the next accounts, about `width` of them, have ended.
   *
   * @returns how many were asked after, how many of them had ended, and whether the front of the line is still
   *   under way: then there is no use in asking again at once
   */
  async askNext(
    width: number,
    now: number,
    ask: (accounts: OutstandingAccount[]) => Promise<Set<OutstandingAccount>>,
  ): Promise<{ asked: number; ended: number; heldUp: boolean }> {
    const late = this.dueLaggards(Math.ceil(width / 2), now);
    const heldUp = this.front.length > 0;
    this.fillFront(width);
    const scout = heldUp ? this.scout() : undefined;
    const entries = [
      ...late.map(({ entry }) => entry),
      ...this.front,
      ...(scout === undefined ? [] : [scout]),
    ];
    const endedAccounts = await ask(entries.map(({ account }) => account));

    const ended = entries.filter((entry) => endedAccounts.has(entry.account));
    for (const entry of ended) entry.ended = true;
    this.ended += ended.length;
    for (const { entry, level } of late) if (!entry.ended) this.lag(entry, level + 1, now);
    this.settleFront(Math.max(-1, ...ended.map(({ order }) => order)), now);
    return { asked: entries.length, ended: ended.length, heldUp: this.front.length > 0 };
  }

  /** All that is left, oldest first within each group: for the report when the waiting ends. */
  *[Symbol.iterator](): Generator<OutstandingAccount> {
    for (const laggards of this.laggards) for (const { entry } of laggards) yield entry.account;
    for (const entry of this.front) yield entry.account;
    for (const entry of this.line) if (!entry.ended) yield entry.account;
  }

  private settleFront(youngestEnded: number, now: number): void {
    const left = this.front.filter((entry) => !entry.ended);
    this.front = left.filter((entry) => entry.order > youngestEnded);
    for (const entry of left) if (entry.order < youngestEnded) this.lag(entry, 0, now);
  }

  private fillFront(width: number): void {
    while (this.front.length < width) {
      const next = this.line.shift();
      if (next === undefined) return;
      if (!next.ended) this.front.push(next);
    }
  }

  private scout(): Entry | undefined {
    const entry = this.line.at(Math.floor(this.random() * this.line.size));
    return entry?.ended === false ? entry : undefined;
  }

  private lag(entry: Entry, level: number, now: number): void {
    const reached = Math.min(level, LAGGARD_WAITS.length - 1);
    this.laggards[reached]?.push({ entry, dueAt: now + (LAGGARD_WAITS[reached] ?? 0) });
  }

  /** Each level has one wait for all, so that the one due first is always at its front. */
  private dueLaggards(limit: number, now: number): { entry: Entry; level: number }[] {
    const due: { entry: Entry; level: number }[] = [];
    for (const [level, laggards] of this.laggards.entries()) {
      while (due.length < limit && (laggards.at(0)?.dueAt ?? Infinity) <= now) {
        const laggard = laggards.shift();
        if (laggard !== undefined) due.push({ entry: laggard.entry, level });
      }
    }
    return due;
  }
}
