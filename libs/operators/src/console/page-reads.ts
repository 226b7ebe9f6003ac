import { Injectable } from '@nestjs/common';
import { Database, type Executor, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { SupplierOverviewRepository, type SupplierWithOrganisation } from './supplier-overview.repository';

/** The longest statement of a page. */
const STATEMENT_TIMEOUT_MS = 2_000;

const QUERY_CANCELED = '57014';

/**
 * Without statistics of a new table, an incremental sort of all rows of a supplier would seem cheaper than the index that
 * has their order.
 */
const LIMIT = `SELECT set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true),
  set_config('transaction_read_only', 'on', true), set_config('enable_incremental_sort', 'off', true)`;

/** Reads for the pages of operators, each of which changes nothing and is answered in bounded time. */
@Injectable()
export class PageReads {
  constructor(
    private readonly database: Database,
    private readonly suppliers: SupplierOverviewRepository,
  ) {}

  /** @throws PortageError `unavailable` if a statement takes more than 2 seconds */
  async run<Result>(work: (reads: Executor) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.transaction(async (transaction) => {
        await transaction.manager.query(LIMIT);
        return work(transaction);
      });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === QUERY_CANCELED)) throw error;
      throw new PortageError(
        'unavailable',
        'The database took more than 2 seconds for this page. Ask again, or use a filter that matches fewer accounts.',
      );
    }
  }

  /** @throws PortageError `not_found` */
  async requireSupplier(code: string, executor: Executor): Promise<SupplierWithOrganisation> {
    const known = readIdentifier(code);
    const supplier = known === undefined ? undefined : await this.suppliers.settingsOf(known, executor);
    if (!supplier) throw new PortageError('not_found', 'There is no such import supplier.');
    return supplier;
  }
}
