import { Inject, Injectable } from '@nestjs/common';
import { CACHE_LIFETIME_MS, ChangeFeed, InvalidatingCache, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import type { ImportSupplierEntity } from './import-supplier.entity';
import { ImportSupplierRepository } from './import-supplier.repository';
import { supplierCodeOf } from './supplier-code';

/**
 * Resolves supplier codes, from a cache, and separates tenants: an organisation finds its own suppliers only. The cache
 * is keyed by organisation first, so that a supplier of another organisation takes exactly the steps of none.
 */
@Injectable()
export class ImportSupplierDirectory {
  private readonly owned: InvalidatingCache<string, ImportSupplierEntity | undefined>;

  constructor(
    suppliers: ImportSupplierRepository,
    feed: ChangeFeed,
    @Inject(CACHE_LIFETIME_MS) cacheLifetimeMs: number,
  ) {
    this.owned = new InvalidatingCache(feed, 'import_supplier', cacheLifetimeMs, (key) => {
      const end = key.indexOf(' ');
      return suppliers.findOwned(Number(key.slice(0, end)), key.slice(end + 1));
    });
  }

  /** The organisation's supplier with this code, or undefined. The suppliers of other organisations are not found. */
  async find(organisationId: number, submittedCode: string): Promise<ImportSupplierEntity | undefined> {
    const code = readIdentifier(submittedCode);
    if (code === undefined) return undefined;
    return this.owned.get(`${organisationId} ${code}`);
  }

  /** As {@link find}, for the code that a body names. Undefined also if it names none. */
  async findNamed(
    organisationId: number,
    body: Record<string, unknown>,
  ): Promise<ImportSupplierEntity | undefined> {
    const code = supplierCodeOf(body);
    return code === undefined ? undefined : this.find(organisationId, code);
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
