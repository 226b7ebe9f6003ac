export { InstallationEntity } from './rules/installation.entity';
export { prefixOfApiKey } from './access/api-key-text';
export { ApiKeyRepository } from './access/api-key.repository';
export { Authenticate, type Caller } from './access/authenticate';
export { type ObtainedToken, ObtainToken } from './access/obtain-token';
export { OrganisationEntity } from './access/organisation.entity';
export { Organisations } from './access/organisations';
export { TokenAttempts } from './access/token-attempts';
export { TokenMetrics } from './access/token-metrics';
export { ReferenceListSummary } from './rules/operator-rules.dto';
export { OperatorRules } from './rules/operator-rules';
export { RuleSettingsDirectory } from './rules/rule-settings-directory';
export { SchemaContexts, type ValidationSettings } from './rules/schema-contexts';
export { ImportSupplierDirectory } from './suppliers/import-supplier-directory';
export { ImportSupplierEntity, type RuleSettingValues } from './suppliers/import-supplier.entity';
export { ImportSupplierRepository } from './suppliers/import-supplier.repository';
export {
  CREATION_MODES,
  type CreationMode,
  IMPORT_SUPPLIER_STATUSES,
  type ImportSupplierStatus,
  type V1ErrorFormat,
  VALIDATION_PROFILES,
  type ValidationProfile,
} from './suppliers/import-supplier';
export { ImportSuppliers } from './suppliers/import-suppliers';
export { migrationClosedMessage, requireOngoing } from './suppliers/require-ongoing';
export { buildSupplierError, supplierCodeOf } from './suppliers/supplier-code';
export {
  settingsClass,
  SUPPLIER_SETTING_DEFAULTS,
  SUPPLIER_SETTINGS,
  type SupplierSetting,
  type SupplierSettings,
  type SupplierSettingValues,
} from './suppliers/supplier-settings';
export { SupplierProfile } from './profile/supplier-profile';
export { ImportSupplierView, SupplierProfileView, SupplierQuotasView } from './suppliers/suppliers.dto';
export { TenantsModule } from './tenants.module';
export { tenantEntities } from './entities';
