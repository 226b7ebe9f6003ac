import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, toOffsetMicroseconds } from '@portage/platform';
import { ImportSupplierDirectory } from './import-supplier-directory';
import type { SupplierProfileView } from './suppliers.dto';

/** Shows an import supplier its own configuration. */
@Injectable()
export class SupplierProfile {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
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
      code: supplier.code,
      status: supplier.status,
      region: supplier.region,
      currency: supplier.currency,
      time_zone: supplier.timeZone,
      creation_mode: supplier.creationMode,
      profile: supplier.profile,
      document_root: supplier.documentRoot,
      verify_documents: supplier.verifyDocuments,
      reject_undocumented_fields: supplier.rejectUndocumentedFields,
      send_migration_emails: supplier.sendMigrationEmails,
      retain_payload_days: supplier.retainPayloadDays,
      v1_error_format: supplier.v1ErrorFormat,
      max_processing_accounts: supplier.maxProcessingAccounts,
      auto_allocate_operations_team: allocates !== false,
      rule_settings: ruleSettings,
      limits: {
        max_body_bytes: this.config.MAX_BODY_BYTES,
        max_array_items: this.config.MAX_ARRAY_ITEMS,
        max_errors: this.config.MAX_ERRORS,
      },
      created_at: toOffsetMicroseconds(supplier.createdAt, this.config.PLATFORM_TIMEZONE),
    };
  }
}
