import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Database, type Executor, type Statement } from './database';

/** The longest statement of a page of operators. */
export const PAGE_STATEMENT_TIMEOUT_MS = 2_000;

const QUERY_CANCELED = '57014';

const limit: Statement = {
  name: 'limit-page-reads',
  text: `SELECT set_config('statement_timeout', $1, true), set_config('transaction_read_only', 'on', true)`,
};

/** A page took too long to read. */
export class PageTooSlow extends Error {
  override readonly name = 'PageTooSlow';
}

/** Reads that operators wait for: they can change nothing, and none of their statements runs for more than 2 s. */
@Injectable()
export class LimitedReads {
  constructor(private readonly database: Database) {}

  /** @throws PageTooSlow if a statement took longer */
  async run<Result>(work: (reads: Executor) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.transaction(async (transaction) => {
        await transaction.run(limit, [String(PAGE_STATEMENT_TIMEOUT_MS)]);
        return work(transaction);
      });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === QUERY_CANCELED)
        throw new PageTooSlow('A statement of the page took too long.', { cause: error });
      throw error;
    }
  }
}
