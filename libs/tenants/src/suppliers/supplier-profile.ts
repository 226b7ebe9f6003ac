import { Inject, Injectable } from '@nestjs/common';
import { byColumn, CONFIG, type Config, Quotas, toOffsetMicroseconds } from '@portage/platform';
import { ImportSupplierDirectory } from './import-supplier-directory';
import type { SupplierProfileView } from './suppliers.dto';

/** Shows an import supplier its own configuration. */
@Injectable()
export class SupplierProfile {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly quotas: Quotas,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads a supplier of the organisation.
   *
   * @throws PortageError `not_found`
   */
  async read(organisationId: number, code: string): Promise<SupplierProfileView> {
    const supplier = await this.suppliers.require(organisationId, code);
    const { auto_allocate_operations_team: allocates, ...ruleSettings } = supplier.ruleSettings;
    return {
      ...byColumn(supplier, 'id', 'organisationId', 'modifiedAt'),
      auto_allocate_operations_team: allocates !== false,
      rule_settings: ruleSettings,
      limits: {
        max_body_bytes: this.config.MAX_BODY_BYTES,
        max_array_items: this.config.MAX_ARRAY_ITEMS,
        max_errors: this.config.MAX_ERRORS,
      },
      quotas: await this.quotas.read({ supplierId: supplier.id, supplier: supplier.code, organisationId }),
      created_at: toOffsetMicroseconds(supplier.createdAt, this.config.PLATFORM_TIMEZONE),
    };
  }
}
