import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ChangeFeed, type ImportSupplierEntity, ImportSupplierRepository } from '@portage/database';
import { mayBeIdentifier, PortageError } from '@portage/domain';
import { InvalidatingCache } from '../invalidating-cache';

/** The one place where a supplier's code becomes a supplier, and where tenants are kept apart. */
@Injectable()
export class ImportSupplierDirectory {
  private readonly byCode: InvalidatingCache<string, ImportSupplierEntity | undefined>;

  constructor(suppliers: ImportSupplierRepository, feed: ChangeFeed, @Inject(CONFIG) config: Config) {
    this.byCode = new InvalidatingCache(feed, 'import_supplier', config.CACHE_SECONDS, (code) =>
      suppliers.findByCode(code),
    );
  }

  /** The organisation's supplier of this code. Another organisation's does not exist for it. */
  async find(organisationId: number, code: string): Promise<ImportSupplierEntity | undefined> {
    if (!mayBeIdentifier(code)) return undefined;
    const supplier = await this.byCode.get(code);
    return supplier?.organisationId === organisationId ? supplier : undefined;
  }

  /** @throws PortageError `not_found` */
  async require(organisationId: number, code: string): Promise<ImportSupplierEntity> {
    const supplier = await this.find(organisationId, code);
    if (!supplier) throw new PortageError('not_found', 'There is no such import supplier.');
    return supplier;
  }
}
