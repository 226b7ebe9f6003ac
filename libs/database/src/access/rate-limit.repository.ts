import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../connection/database';

/** How much of a limit has been used, and for how long that still counts. */
export interface UsedLimit {
  count: number;
  /** Until the counting starts again at nothing. */
  milliseconds: number;
}

const add: Statement = {
  name: 'add-to-rate-limit',
  // One statement, so that no two instances count the same use, and one clock, the server's.
  text: `
    INSERT INTO rate_limit AS kept (key, count, until) VALUES ($1, 1, now() + $2 * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN kept.until > now() THEN kept.count + 1 ELSE 1 END,
      until = CASE WHEN kept.until > now() THEN kept.until ELSE excluded.until END
    RETURNING count, extract(epoch FROM until - now())::float8 * 1000 AS milliseconds`,
};

const find: Statement = {
  name: 'find-rate-limit',
  text: `
    SELECT count, extract(epoch FROM until - now())::float8 * 1000 AS milliseconds
    FROM rate_limit WHERE key = $1 AND until > now()`,
};

const forget: Statement = {
  name: 'forget-rate-limits',
  text: `
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE until <= now() ORDER BY until LIMIT 100
      FOR UPDATE SKIP LOCKED)`,
};

/** Counts of uses within fixed spans of time, shared by all instances of the API. */
@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Counts one use. The first one starts a span of `seconds`. */
  async add(key: string, seconds: number): Promise<UsedLimit> {
    const [used] = await this.database.run<UsedLimit & Record<string, unknown>>(add, [key, seconds]);
    if (!used) throw new Error('A use that was counted has no count.');
    // Whoever starts a span takes finished ones away, so that there are never many.
    if (used.count === 1) await this.database.run(forget, []);
    return used;
  }

  /** What has been used so far, if anything. */
  async find(key: string): Promise<UsedLimit | undefined> {
    return (await this.database.run<UsedLimit & Record<string, unknown>>(find, [key]))[0];
  }
}
