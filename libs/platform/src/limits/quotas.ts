import { Inject, Injectable } from '@nestjs/common';
import { SingleFlight } from '../values/single-flight';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import { Database, type Executor } from '../database/connection/database';
import { translateErrors } from '../database/connection/database-unavailable';
import { PortageError } from '../errors/portage-error';
import { QUOTA_KINDS, QUOTA_NAMES, type QuotaKind, type QuotaName, type QuotaOwner } from './quota-kinds';

/** What is stored of one kind, and how much may be. */
export interface QuotaUse {
  used: number;
  limit: number;
}

/** Bounds the memory: the owner that was counted first is counted again. */
const MAX_OWNERS = 10_000;

/** A count is used for a second, or for this many times its own duration if it takes long. */
const COUNTED_FOR_MS = 1_000;
const COUNTED_FOR_DURATIONS = 100;

/** What is stored of one kind of an owner. */
interface Count {
  /** As counted, and what this instance has allowed since. */
  used: number;
  /** Until when it need not be counted again, as a monotonic time in milliseconds. */
  until: number;
  counting: SingleFlight<void>;
}

/**
 * Limits of what a tenant has stored. What is there is counted at most once a second for each owner, in an index and no
 * further than the limit. So several instances together may exceed a limit by what they store within that time.
 */
@Injectable()
export class Quotas {
  private readonly counts = new Map<string, Count>();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, QuotaKind['setting']>,
  ) {}

  /**
   * Allows `amount` things of a kind to be stored.
   *
   * @param executor the transaction that stores them, so that a count needs no second connection
   * @throws PortageError `quota_reached`
   */
  async take(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    amount = 1,
    executor: Executor = this.database,
  ): Promise<void> {
    if (amount <= 0) return;
    const count = await this.find(name, owner, executor);
    const limit = this.limitOf(name);
    if (count.used + amount > limit) throw buildReached(name, limit);
    count.used += amount;
  }

  /** What is stored of each kind, as it was up to a second ago; longer where a count takes long. */
  async read(owner: QuotaOwner, executor: Executor = this.database): Promise<Record<QuotaName, QuotaUse>> {
    const uses: [QuotaName, QuotaUse][] = [];
    for (const name of QUOTA_NAMES) {
      const { used } = await this.find(name, owner, executor);
      uses.push([name, { used, limit: this.limitOf(name) }]);
    }
    return Object.fromEntries(uses) as Record<QuotaName, QuotaUse>;
  }

  private async find(name: QuotaName, owner: Partial<QuotaOwner>, executor: Executor): Promise<Count> {
    const key = `${name} ${owner[QUOTA_KINDS[name].owner]}`;
    const found = this.counts.get(key) ?? { used: 0, until: -Infinity, counting: new SingleFlight<void>() };
    this.counts.set(key, found);
    const [oldest] = this.counts.keys();
    if (this.counts.size > MAX_OWNERS && oldest !== undefined) this.counts.delete(oldest);
    while (performance.now() > found.until) {
      const isCounting = found.counting.isRunning;
      const counting = found.counting.join(async () => this.count(name, owner, found, executor));
      // A count of another request may fail with its transaction. This request counts then.
      await (isCounting ? counting.catch(() => undefined) : counting);
    }
    return found;
  }

  private async count(
    name: QuotaName,
    owner: Partial<QuotaOwner>,
    found: Count,
    executor: Executor,
  ): Promise<void> {
    const kind = QUOTA_KINDS[name];
    const startedAt = performance.now();
    const limit = this.limitOf(name);
    let used = 0;
    for (const { table, where } of kind.counted) {
      const counted = executor.manager
        .createQueryBuilder()
        .select('count(*)::integer', 'count')
        .from(
          (rows) =>
            rows.select('1').from(table, 'stored').where(where, { owner: owner[kind.owner] }).limit(limit),
          'found',
        );
      used += (await translateErrors(counted.getRawOne<{ count: number }>()))?.count ?? 0;
    }
    const endedAt = performance.now();
    found.used = Math.min(used, limit);
    found.until = endedAt + Math.max(COUNTED_FOR_MS, COUNTED_FOR_DURATIONS * (endedAt - startedAt));
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
