export { ChangeFeed, type AnnouncedTable } from './change-feed';
export { Database, type Executor, type Statement } from './database';
export { DatabaseUnavailable } from './database-unavailable';
export { DatabaseModule } from './database.module';
export { dataSourceOptions, entities, type DatabaseSettings } from './data-source';
export { AccountReferenceEntity } from './entities/account-reference.entity';
export { AccountEntity } from './entities/account.entity';
export { ApiKeyEntity } from './entities/api-key.entity';
export { ChargedPeriodEntity } from './entities/charged-period.entity';
export { CustomerEntity } from './entities/customer.entity';
export { DebtEntity } from './entities/debt.entity';
export { ImportProcessEventEntity } from './entities/import-process-event.entity';
export { ImportProcessPayloadEntity } from './entities/import-process-payload.entity';
export { ImportProcessEntity } from './entities/import-process.entity';
export { ImportSupplierEntity, type RuleSettingValues } from './entities/import-supplier.entity';
export { OrganisationEntity } from './entities/organisation.entity';
export { ReferenceDataEntity } from './entities/reference-data.entity';
export { RefreshTokenEntity } from './entities/refresh-token.entity';
export { migrate } from './migrate';
export {
  AccountImportRepository,
  type CreatedImport,
  type FailedImport,
  type NewAccount,
  type NewChargedPeriod,
  type NewDebt,
  type NewCustomer,
  type StartedImport,
} from './repositories/account-import.repository';
export {
  ApiKeyRepository,
  type NewRefreshToken,
  type UsedRefreshToken,
} from './repositories/api-key.repository';
export {
  ImportProcessRepository,
  type ImportProcessState,
  type ImportProcessView,
  type ListedImportProcess,
  type ListedKind,
  type ProcessSelection,
  type ProcessVersion,
  type ScheduledImport,
  type UnfinishedProcess,
} from './repositories/import-process.repository';
export {
  ImportSupplierRepository,
  type ImportSupplierSettings,
} from './repositories/import-supplier.repository';
export { OrganisationRepository } from './repositories/organisation.repository';
export { AccountLookupsRepository, type LookupScope } from './repositories/account-lookups.repository';
export { OperatorRulesRepository } from './repositories/operator-rules.repository';
export { ImportProcessInspectionRepository } from './repositories/import-process-inspection.repository';
