import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import { Database, type Executor } from '../database/connection/database';
import { PortageError } from '../errors/portage-error';
import { QUOTA_KINDS, QUOTA_NAMES, type QuotaKind, type QuotaName, type QuotaOwner } from './quota-kinds';

/** What is stored of one kind, and how much may be. */
export interface QuotaUse {
  used: number;
  limit: number;
}

/** Bounds the memory: the owner that was looked up longest ago is counted again. */
const MAX_OWNERS = 10_000;

/** After a count, this part of what is free may be stored before the next one: several instances share the rest. */
const SHARE_OF_FREE = 1 / 8;

/** At least this part of the limit may be stored between two counts, so that few requests near the limit count. */
const MIN_SHARE_OF_LIMIT = 1 / 1_000;

/** A count is repeated for a refusal after this many times its own duration, so that refusals cost little. */
const REPEATED_AFTER = 20;

/** The time for which the shown use of an owner is remembered, at least. */
const SHOWN_FOR_MS = 1_000;

/** What is known about one kind of an owner. */
interface KnownUse {
  /** What was stored at the last count. */
  count: number;
  /** What could be stored then. */
  free: number;
  /** What was stored since. */
  stored: number;
  /** What is being stored: it may be counted or not. */
  held: number;
  countedAt: number;
  durationMs: number;
  counting: Promise<void> | undefined;
}

/**
 * Limits of what a tenant has stored. Nothing is counted for most requests: a count, which reads no more entries of an
 * index than the limit, allows this instance an eighth of what is free, and the next count follows once that is used.
 * The closer the limit, the more often an instance counts. So the limit holds over all instances together but for the
 * thousandth of it that each of them may store between two counts, and for what is being stored at the moment.
 */
@Injectable()
export class Quotas {
  private readonly known = new Map<string, KnownUse>();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, QuotaKind['setting']>,
  ) {}

  /**
   * Runs `work`, which stores `amount` things of a kind.
   *
   * @throws PortageError `quota_reached`
   */
  async run<Result>(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    amount: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const use = await this.reserve(name, owner, amount, this.database);
    try {
      return await work();
    } finally {
      use.held -= amount;
    }
  }

  /**
   * Allows a transaction to store one thing of a kind.
   *
   * @param executor the transaction, so that a count needs no second connection
   * @throws PortageError `quota_reached`
   */
  async take(name: QuotaName, owner: Partial<QuotaOwner>, executor: Executor): Promise<void> {
    const use = await this.reserve(name, owner, 1, executor);
    use.held -= 1;
  }

  /** Notes what was stored without being asked for before. Later requests are refused if it exceeds the limit. */
  charge(name: QuotaName, owner: Partial<QuotaOwner>, amount: number): void {
    if (amount > 0) this.useOf(name, owner).stored += amount;
  }

  /** What is stored of each kind, as it was up to a second ago; longer where a count takes long. */
  async read(owner: QuotaOwner, executor: Executor = this.database): Promise<Record<QuotaName, QuotaUse>> {
    const uses: [QuotaName, QuotaUse][] = [];
    for (const name of QUOTA_NAMES) {
      const use = this.useOf(name, owner);
      if (performance.now() - use.countedAt > Math.max(SHOWN_FOR_MS, REPEATED_AFTER * use.durationMs))
        await this.count(name, owner, use, executor);
      const limit = this.limitOf(name);
      uses.push([name, { used: Math.min(limit, use.count + use.stored), limit }]);
    }
    return Object.fromEntries(uses) as Record<QuotaName, QuotaUse>;
  }

  private async reserve(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    amount: number,
    executor: Executor,
  ): Promise<KnownUse> {
    const use = this.useOf(name, owner);
    const limit = this.limitOf(name);
    for (;;) {
      const allowance = Math.min(
        use.free,
        Math.max(use.free * SHARE_OF_FREE, limit * MIN_SHARE_OF_LIMIT, use.stored === 0 ? amount : 0),
      );
      if (use.stored + amount <= allowance) {
        use.stored += amount;
        use.held += amount;
        return use;
      }
      const isFull = use.free - use.stored < amount;
      const age = performance.now() - use.countedAt;
      if (isFull && age < REPEATED_AFTER * use.durationMs) throw buildReached(name, limit);
      const startedAt = performance.now();
      await this.count(name, owner, use, executor);
      // This count is newer than the request: what it found decides.
      if (isFull && use.free - use.stored < amount && use.countedAt >= startedAt)
        throw buildReached(name, limit);
    }
  }

  /** Counts, or waits for the count that another request has begun. */
  private async count(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    use: KnownUse,
    executor: Executor,
  ): Promise<void> {
    if (use.counting) {
      // The request that counts has its own transaction, which may fail.
      await use.counting.catch(() => undefined);
      return;
    }
    use.counting = this.countAlone(name, owner, use, executor).finally(() => {
      use.counting = undefined;
    });
    await use.counting;
  }

  private async countAlone(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    use: KnownUse,
    executor: Executor,
  ): Promise<void> {
    const kind = QUOTA_KINDS[name];
    const limit = this.limitOf(name);
    const startedAt = performance.now();
    const { held, stored } = use;
    const [row] = await executor.run<{ count: number }>(kind.count, [owner[kind.owner], limit]);
    use.count = Math.min(row?.count ?? 0, limit);
    // The count may have missed what was being stored when it began, and what was allowed since.
    use.free = Math.max(0, limit - use.count - held - (use.stored - stored));
    use.stored = 0;
    use.countedAt = performance.now();
    use.durationMs = use.countedAt - startedAt;
  }

  private useOf(name: QuotaName, owner: Partial<QuotaOwner>): KnownUse {
    const key = `${name} ${owner[QUOTA_KINDS[name].owner]}`;
    const found = this.known.get(key) ?? {
      count: 0,
      free: 0,
      stored: 0,
      held: 0,
      countedAt: -Infinity,
      durationMs: 0,
      counting: undefined,
    };
    // The map keeps the order of insertion.
    this.known.delete(key);
    this.known.set(key, found);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_OWNERS && oldest !== undefined) this.known.delete(oldest);
    return found;
  }

  private limitOf(name: QuotaName): number {
    return this.config[QUOTA_KINDS[name].setting];
  }
}

function buildReached(name: QuotaName, limit: number): PortageError {
  const { description, remedy } = QUOTA_KINDS[name];
  return new PortageError(
    'quota_reached',
    `${description.slice(0, -1)}: ${limit} of ${limit} are stored. ${remedy} The operator can raise the limit.`,
    { quota: name, used: limit, limit },
  );
}
