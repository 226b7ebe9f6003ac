import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../connection/database';

/** The uses within the current window of a rate limit. */
export interface UsedLimit {
  count: number;
  /** Time until the window ends. */
  milliseconds: number;
}

const add: Statement = {
  name: 'add-to-rate-limit',
  // One statement, so that concurrent uses are all counted, and one clock, the server's.
  text: `
    INSERT INTO rate_limit AS stored (key, count, until) VALUES ($1, 1, now() + $2 * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN stored.until > now() THEN stored.count + 1 ELSE 1 END,
      until = CASE WHEN stored.until > now() THEN stored.until ELSE excluded.until END
    RETURNING count, extract(epoch FROM until - now())::float8 * 1000 AS milliseconds`,
};

const find: Statement = {
  name: 'find-rate-limit',
  text: `
    SELECT count, extract(epoch FROM until - now())::float8 * 1000 AS milliseconds
    FROM rate_limit WHERE key = $1 AND until > now()`,
};

const deleteEnded: Statement = {
  name: 'delete-ended-rate-limits',
  text: `
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE until <= now() ORDER BY until LIMIT 100
      FOR UPDATE SKIP LOCKED)`,
};

/** Rate limits with fixed windows, counted by all instances of the API together. */
@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Counts one use. The first use starts a window of `seconds`. */
  async add(key: string, seconds: number): Promise<UsedLimit> {
    const [used] = await this.database.run<UsedLimit>(add, [key, seconds]);
    if (!used) throw new Error('The counted use has no count.');
    // The start of a window deletes ended ones, so that the table stays small.
    if (used.count === 1) await this.database.run(deleteEnded, []);
    return used;
  }

  /** The current window; undefined when there is none. */
  async find(key: string): Promise<UsedLimit | undefined> {
    return (await this.database.run<UsedLimit>(find, [key]))[0];
  }
}
