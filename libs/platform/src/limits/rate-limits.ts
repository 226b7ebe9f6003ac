import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RateLimitRepository, type UsedLimit } from './rate-limit.repository';
import { Logger } from '../observability/logger';
import { withTimeout } from '../queues/with-timeout';
import { LocalCounts } from './local-counts';
import { Throttled } from './throttled';

/** A number of uses that is allowed in a window of time. The first use starts the window. */
export interface RateLimit {
  /** Identifies the limit in the stored counts. */
  name: string;
  /** Allowed uses in a window. 0: no limit. */
  maxUses: number;
  /** Length of the window. */
  seconds: number;
  /** The sentence that a throttled client reads. */
  detail: string;
}

/** A use that is counted before it is known whether it counts. */
export interface ReservedUse {
  /** The uses in the window, this one included. */
  readonly count: number;
  /** Leaves the use counted, and remembers the count in case the shared counts become unavailable. */
  keep(): void;
  /** Takes the use back. Never fails: a use that cannot be taken back stays counted until its window ends. */
  takeBack(): Promise<void>;
}

const UNLIMITED_USE: ReservedUse = {
  count: 0,
  keep: () => undefined,
  takeBack: async () => Promise.resolve(),
};

/** A limit may be full of uses that are about to be taken back, so a reservation is repeated before it is refused. */
const RESERVE_ATTEMPTS = 5;
const RESERVE_RETRY_MS = 100;

/**
 * Maximum wait for the shared counts. After that the instance uses its local counts, so that each instance allows as much
 * as the limit: a busy database must not be taken for one that is gone.
 */
const SHARED_COUNTS_TIMEOUT_MS = 2_000;

/** Time after a failure in which the shared counts are not queried. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Rate limits that all instances of the API share. A subject that is over a limit is refused from local memory, without
 * a query. While the shared counts are unavailable, each instance counts locally.
 */
@Injectable()
export class RateLimits {
  private readonly localCounts = new LocalCounts();
  private pausedUntil = 0;
  /** Queries that have timed out and still hold a connection. No further one is sent until they end. */
  private timedOutQueries = 0;

  constructor(
    private readonly counts: RateLimitRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Counts one use.
   *
   * @throws Throttled if it exceeds the limit
   */
  async take(limit: RateLimit, subject: string): Promise<void> {
    if (limit.maxUses === 0) return;
    throwIfAbove(limit, limit.maxUses - 1, this.localCounts.find(keyOf(limit, subject)));
    throwIfAbove(limit, limit.maxUses, await this.count(limit, subject));
  }

  /**
   * Counts one use before its outcome is known, such as an attempt to guess a secret. Of any number of concurrent
   * attempts, on all instances, no more than the limit are ever judged.
   *
   * @throws Throttled if no use is left
   */
  async reserve(limit: RateLimit, subject: string): Promise<ReservedUse> {
    if (limit.maxUses === 0) return UNLIMITED_USE;
    this.checkLocally(limit, subject);
    const key = keyOf(limit, subject);
    for (let attempt = 1; attempt <= RESERVE_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await sleep(RESERVE_RETRY_MS);
      const used = await this.queryShared(async () => this.counts.reserve(key, limit.seconds, limit.maxUses));
      if (used === 'unavailable') return this.reserveLocally(limit, key);
      if (!used) continue;
      return {
        count: used.count,
        keep: () => {
          this.localCounts.set(key, used);
        },
        takeBack: async () => {
          await this.queryShared(async () => this.counts.takeBack(key, used));
        },
      };
    }
    const used = await this.findUsed(limit, subject);
    throw new Throttled(limit.detail, used && used.count >= limit.maxUses ? used.milliseconds : 1_000);
  }

  /**
   * Checks the limit by what this instance knows, without a query.
   *
   * @throws Throttled if no use is left
   */
  checkLocally(limit: RateLimit, subject: string): void {
    if (limit.maxUses === 0) return;
    throwIfAbove(limit, limit.maxUses - 1, this.localCounts.find(keyOf(limit, subject)));
  }

  /** Counts one use and never refuses it, for events whose outcome decides if they count. */
  async count(limit: RateLimit, subject: string): Promise<UsedLimit> {
    const key = keyOf(limit, subject);
    const used = await this.queryShared(() => this.counts.add(key, limit.seconds));
    return used === 'unavailable'
      ? this.localCounts.add(key, limit.seconds)
      : this.localCounts.set(key, used);
  }

  /** The uses in the current window, or undefined if there is none. */
  async findUsed(limit: RateLimit, subject: string): Promise<UsedLimit | undefined> {
    const key = keyOf(limit, subject);
    const used = await this.queryShared(() => this.counts.find(key));
    if (used === 'unavailable') return this.localCounts.find(key);
    return used && this.localCounts.set(key, used);
  }

  /**
   * As {@link take}, with the counts of this instance only, for uses that do not justify a query.
   *
   * @throws Throttled if it exceeds the limit
   */
  takeLocally(limit: RateLimit, subject: string): void {
    if (limit.maxUses > 0)
      throwIfAbove(limit, limit.maxUses, this.localCounts.add(keyOf(limit, subject), limit.seconds));
  }

  private reserveLocally(limit: RateLimit, key: string): ReservedUse {
    const used = this.localCounts.add(key, limit.seconds);
    throwIfAbove(limit, limit.maxUses, used);
    return {
      count: used.count,
      keep: () => undefined,
      takeBack: async () => {
        this.localCounts.remove(key);
        return Promise.resolve();
      },
    };
  }

  private async queryShared<T>(query: () => Promise<T>): Promise<T | 'unavailable'> {
    if (this.timedOutQueries > 0 || performance.now() < this.pausedUntil) return 'unavailable';
    const pending = query();
    try {
      return await withTimeout(SHARED_COUNTS_TIMEOUT_MS, pending);
    } catch (error) {
      this.pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
      this.timedOutQueries += 1;
      void pending.catch(() => undefined).finally(() => (this.timedOutQueries -= 1));
      this.logger.warn('The shared rate limit counts are unavailable. This instance counts locally.', {
        error,
      });
      return 'unavailable';
    }
  }
}

function keyOf({ name }: RateLimit, subject: string): string {
  return `${name} ${subject}`;
}

function throwIfAbove({ detail }: RateLimit, maxUses: number, used: UsedLimit | undefined): void {
  if (used && used.count > maxUses) throw new Throttled(detail, used.milliseconds);
}
