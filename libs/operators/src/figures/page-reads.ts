import { Injectable } from '@nestjs/common';
import {
  type Executor,
  isPossibleIdentifier,
  LimitedReads,
  PageTooSlow,
  PortageError,
} from '@portage/platform';
import { SupplierOverviewRepository, type SupplierWithOrganisation } from './supplier-overview.repository';

/** Reads for the pages of operators, each of which is answered in bounded time. */
@Injectable()
export class PageReads {
  constructor(
    private readonly reads: LimitedReads,
    private readonly suppliers: SupplierOverviewRepository,
  ) {}

  /** @throws PortageError `unavailable` if a statement takes more than 2 seconds */
  async run<Result>(work: (reads: Executor) => Promise<Result>): Promise<Result> {
    try {
      return await this.reads.run(work);
    } catch (error) {
      if (!(error instanceof PageTooSlow)) throw error;
      throw new PortageError(
        'unavailable',
        'The database took more than 2 seconds for this page. Ask again, or use a filter that matches fewer accounts.',
      );
    }
  }

  /** @throws PortageError `not_found` */
  async requireSupplier(code: string, executor: Executor): Promise<SupplierWithOrganisation> {
    const supplier = isPossibleIdentifier(code) ? await this.suppliers.settingsOf(code, executor) : undefined;
    if (!supplier) throw new PortageError('not_found', 'There is no such import supplier.');
    return supplier;
  }
}
