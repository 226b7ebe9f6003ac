import { Inject, Injectable } from '@nestjs/common';
import { validCodesOf } from '@portage/account-schema/service';
import { byColumn, CONFIG, type Config, Quotas, toOffsetMicroseconds } from '@portage/platform';
import { RuleSettingsDirectory } from '../rules/rule-settings-directory';
import type { ImportSupplierEntity } from '../suppliers/import-supplier.entity';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { ImportSupplierRepository } from '../suppliers/import-supplier.repository';
import {
  type ImportSupplierView,
  MAX_CODES,
  type ReferenceCodesView,
  type SupplierProfileView,
} from '../suppliers/suppliers.dto';

/** The most suppliers of an organisation that a list has. */
const MAX_SUPPLIERS = 1_000;

/** Shows the import suppliers of an organisation their own configuration. */
@Injectable()
export class SupplierProfile {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly repository: ImportSupplierRepository,
    private readonly rules: RuleSettingsDirectory,
    private readonly quotas: Quotas,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The first 1,000 suppliers of the organisation, in the order of their codes. */
  async list(organisationId: number): Promise<ImportSupplierView[]> {
    const suppliers = await this.repository.listOwned(organisationId, MAX_SUPPLIERS);
    return suppliers.map((supplier) => this.toView(supplier));
  }

  /**
   * Reads a supplier of the organisation.
   *
   * @throws PortageError `not_found`
   */
  async read(organisationId: number, code: string): Promise<SupplierProfileView> {
    const supplier = await this.suppliers.require(organisationId, code);
    const { auto_allocate_operations_team: allocates, ...ruleSettings } = supplier.ruleSettings;
    return {
      ...this.toView(supplier),
      auto_allocate_operations_team: allocates !== false,
      rule_settings: ruleSettings,
      limits: {
        max_body_bytes: this.config.MAX_BODY_BYTES,
        max_array_items: this.config.MAX_ARRAY_ITEMS,
        max_errors: this.config.MAX_ERRORS,
      },
      quotas: await this.quotas.read({ supplierId: supplier.id, supplier: supplier.code, organisationId }),
      reference_data: await this.referenceCodes(),
    };
  }

  private toView(supplier: ImportSupplierEntity) {
    return {
      ...byColumn(supplier, 'id', 'organisationId', 'modifiedAt', 'ruleSettings'),
      created_at: toOffsetMicroseconds(supplier.createdAt, this.config.PLATFORM_TIMEZONE),
    };
  }

  private async referenceCodes(): Promise<ReferenceCodesView[]> {
    return validCodesOf(await this.rules.references()).map(({ list, supplyType, codes }) => ({
      list,
      supply_type: supplyType,
      count: codes.size,
      codes: [...codes.keys()].slice(0, MAX_CODES),
    }));
  }
}
