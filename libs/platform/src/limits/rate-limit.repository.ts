import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/connection/database';

/** The uses within the current window of a rate limit. */
export interface UsedLimit {
  count: number;
  /** Time until the window ends. */
  milliseconds: number;
}

/** A use that is counted until it is taken back. */
export interface ReservedUse extends UsedLimit {
  /** PostgreSQL's text of the end of its window, which identifies the window. */
  until: string;
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

const reserve: Statement = {
  name: 'reserve-rate-limit',
  // The condition is checked on the locked row, so that concurrent uses together never exceed the limit.
  text: `
    INSERT INTO rate_limit AS stored (key, count, until) VALUES ($1, 1, now() + $2 * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN stored.until > now() THEN stored.count + 1 ELSE 1 END,
      until = CASE WHEN stored.until > now() THEN stored.until ELSE excluded.until END
    WHERE stored.until <= now() OR stored.count < $3
    RETURNING count, until, extract(epoch FROM until - now())::float8 * 1000 AS milliseconds`,
};

const takeBack: Statement = {
  name: 'take-back-rate-limit',
  text: 'UPDATE rate_limit SET count = count - 1 WHERE key = $1 AND until = $2::timestamptz AND count > 0',
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
    await this.deleteEndedAfter(used);
    return used;
  }

  /** Counts one use if fewer than `maxUses` are counted; undefined, with nothing counted, otherwise. */
  async reserve(key: string, seconds: number, maxUses: number): Promise<ReservedUse | undefined> {
    const [used] = await this.database.run<ReservedUse>(reserve, [key, seconds, maxUses]);
    if (used) await this.deleteEndedAfter(used);
    return used;
  }

  /** Takes a reserved use back, unless its window has ended. */
  async takeBack(key: string, { until }: ReservedUse): Promise<void> {
    await this.database.run(takeBack, [key, until]);
  }

  /** The current window; undefined when there is none. */
  async find(key: string): Promise<UsedLimit | undefined> {
    return (await this.database.run<UsedLimit>(find, [key]))[0];
  }

  /** The start of a window deletes ended ones, so that the table stays small. */
  private async deleteEndedAfter({ count }: UsedLimit): Promise<void> {
    if (count === 1) await this.database.run(deleteEnded, []);
  }
}
