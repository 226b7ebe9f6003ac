import { Inject, Injectable } from '@nestjs/common';
import { ChangeFeed, type ImportSupplierEntity, ImportSupplierRepository } from '@portage/database';
import { isPossibleIdentifier, PortageError } from '@portage/domain';
import { CACHE_LIFETIME_MS, InvalidatingCache } from '../invalidating-cache';

/** Resolves supplier codes, from a cache, and separates tenants: an organisation finds its own suppliers only. */
@Injectable()
export class ImportSupplierDirectory {
  private readonly byCode: InvalidatingCache<string, ImportSupplierEntity | undefined>;

  constructor(
    suppliers: ImportSupplierRepository,
    feed: ChangeFeed,
    @Inject(CACHE_LIFETIME_MS) cacheLifetimeMs: number,
  ) {
    this.byCode = new InvalidatingCache(feed, 'import_supplier', cacheLifetimeMs, (code) =>
      suppliers.findByCode(code),
    );
  }

  /** The organisation's supplier with this code, or undefined. The suppliers of other organisations are not found. */
  async find(organisationId: number, submittedCode: string): Promise<ImportSupplierEntity | undefined> {
    const code = submittedCode.trim();
    if (!isPossibleIdentifier(code)) return undefined;
    const supplier = await this.byCode.get(code);
    return supplier?.organisationId === organisationId ? supplier : undefined;
  }

  /**
   * As {@link find}.
   *
   * @throws PortageError `not_found` if there is none
   */
  async require(organisationId: number, code: string): Promise<ImportSupplierEntity> {
    const supplier = await this.find(organisationId, code);
    if (!supplier) throw new PortageError('not_found', 'There is no such import supplier.');
    return supplier;
  }
}
