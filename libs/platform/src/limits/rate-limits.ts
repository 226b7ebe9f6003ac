import { Injectable } from '@nestjs/common';
import { circuitBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Database, type Statement } from '../database/connection/database';
import { Logger } from '../observability/logger';
import { withTimeout } from '../values/with-timeout';
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

/**
 * Maximum wait for the shared counts. After that each instance counts for itself: a busy database must not be taken for
 * one that is gone.
 */
const SHARED_COUNTS_TIMEOUT_MS = 2_000;

/** Time after a failure in which the shared counts are not queried. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Rate limits that all instances of the API share, in the table `rate_limit`. A subject that has exceeded a limit is
 * refused from memory until its window ends, without a query. While the table is unavailable, each instance counts for
 * itself.
 */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterPostgres>();
  private readonly table: { query: (statement: Query) => Promise<object> };

  constructor(database: Database, logger: Logger) {
    const breaker = circuitBreaker(handleAll, {
      halfOpenAfter: PAUSE_AFTER_FAILURE_MS,
      breaker: new ConsecutiveBreaker(1),
    });
    breaker.onBreak((reason) => {
      const error = 'error' in reason ? reason.error : undefined;
      logger.warn('The shared rate limit counts are unavailable. This instance counts locally.', { error });
    });
    this.table = {
      query: async ({ values, ...statement }) => {
        const rows = await breaker.execute(async () =>
          withTimeout(SHARED_COUNTS_TIMEOUT_MS, database.run(statement, values)),
        );
        return { rows, rowCount: rows.length };
      },
    };
  }

  /**
   * Counts one use.
   *
   * @returns the uses in the window, this one included
   * @throws Throttled if it exceeds the limit
   */
  async take(limit: RateLimit, subject: string): Promise<number> {
    if (limit.maxUses === 0) return 0;
    try {
      return (await this.limiterOf(limit).consume(subject)).consumedPoints;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw new Throttled(limit.detail, refusal.msBeforeNext);
      throw refusal;
    }
  }

  /** Takes a use back that {@link take} has counted. */
  async giveBack(limit: RateLimit, subject: string): Promise<void> {
    if (limit.maxUses > 0) await this.limiterOf(limit).reward(subject);
  }

  /** Counts one use and never refuses it. @returns the uses in the window, this one included */
  async count(limit: RateLimit, subject: string): Promise<number> {
    return (await this.limiterOf(limit).penalty(subject)).consumedPoints;
  }

  /** The uses in the current window. */
  async find(limit: RateLimit, subject: string): Promise<number> {
    return (await this.limiterOf(limit).get(subject))?.consumedPoints ?? 0;
  }

  private limiterOf({ name, maxUses: points, seconds: duration }: RateLimit): RateLimiterPostgres {
    const found = this.limiters.get(name);
    if (found) return found;
    const options = { keyPrefix: name, points, duration };
    const limiter = new RateLimiterPostgres({
      ...options,
      storeClient: this.table,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      // One limiter deletes the ended windows of all.
      clearExpiredByTimeout: this.limiters.size === 0,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory(options),
    });
    this.limiters.set(name, limiter);
    return limiter;
  }
}

interface Query extends Statement {
  values: unknown[];
}
