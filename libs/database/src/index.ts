export { ChangeFeed, type AnnouncedTable } from './change-feed';
export { Database, type Executor, type Statement } from './database';
export { DatabaseUnavailable } from './database-unavailable';
export { DatabaseModule } from './database.module';
export { dataSourceOptions, entities, type DatabaseSettings } from './data-source';
export { AccountReferenceEntity } from './entities/account-reference.entity';
export { AccountEntity } from './entities/account.entity';
export { ApiKeyEntity } from './entities/api-key.entity';
export { AuditEntryEntity } from './entities/audit-entry.entity';
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
export { AccountRequestEntity } from './entities/account-request.entity';
export { AgreementEntity } from './entities/agreement.entity';
export { DocumentEntity } from './entities/document.entity';
export { HistoricalStatementEntity } from './entities/historical-statement.entity';
export { IdempotencyKeyEntity } from './entities/idempotency-key.entity';
export { LedgerEntity } from './entities/ledger.entity';
export { NoteEntity } from './entities/note.entity';
export { PaymentInstructionEntity } from './entities/payment-instruction.entity';
export { StatementPeriodEntity } from './entities/statement-period.entity';
export { SupplyPointEntity } from './entities/supply-point.entity';
export { TransactionEntity } from './entities/transaction.entity';
export { WelcomeEmailEntity } from './entities/welcome-email.entity';
export { migrate } from './migrate';
export {
  type AccountRow,
  type AccountRows,
  type AccountTable,
  accountTables,
} from './repositories/account-rows';
export {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  type CreatedAccount,
  type FailedImport,
  type NewAccount,
  type StartedImport,
} from './repositories/account-import.repository';
export {
  ApiKeyRepository,
  type NewRefreshToken,
  type UsedRefreshToken,
} from './repositories/api-key.repository';
export {
  AccountErasureRepository,
  type LockedAccount,
  type UsedDocument,
} from './repositories/account-erasure.repository';
export {
  type PayloadRetention,
  PayloadRetentionRepository,
} from './repositories/payload-retention.repository';
export { AuditRepository, type AuditedAction, type AuditPlace } from './repositories/audit.repository';
export {
  identityOf,
  ImportProcessRepository,
  type ImportProcessState,
  type InsertedImport,
  type ProcessVersion,
  type ScheduledImport,
} from './repositories/import-process.repository';
export {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ListedImportProcess,
  type ListedKind,
  type ProcessName,
  type ProcessNaming,
} from './repositories/import-process-reading.repository';
export { ConnectionGauge } from './connection-gauge';
export { ImportProcessCountRepository } from './repositories/import-process-count.repository';
export {
  ImportProcessSteeringRepository,
  type ProcessSelection,
  type SteeredProcess,
  type Steering,
} from './repositories/import-process-steering.repository';
export { StaleImportRepository, type StaleProcess } from './repositories/stale-import.repository';
export {
  ImportSupplierRepository,
  type ImportSupplierSettings,
} from './repositories/import-supplier.repository';
export { RateLimitRepository, type UsedLimit } from './repositories/rate-limit.repository';
export { OrganisationRepository } from './repositories/organisation.repository';
export {
  AccountLookupsRepository,
  type Findings,
  type LookupFindings,
  type LookupKind,
  type LookupQuestion,
  type LookupScope,
} from './repositories/account-lookups.repository';
export { OperatorRulesRepository } from './repositories/operator-rules.repository';
export { ImportProcessInspectionRepository } from './repositories/import-process-inspection.repository';
export {
  type ErrorCount,
  type StatusCount,
  SupplierReportRepository,
} from './repositories/supplier-report.repository';
export {
  type AccountRequestKind,
  AccountRequestRepository,
  inFlightKey,
  type NewAccountRequest,
  type PendingAccountRequest,
  type StaleAccountRequest,
  type StoredAccountRequest,
} from './repositories/account-request.repository';
export {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
} from './repositories/imported-account.repository';
export {
  HistoricalStatementRepository,
  type NewHistoricalStatement,
} from './repositories/historical-statement.repository';
export { type IdentifiedNote, type NewNote, NoteRepository } from './repositories/note.repository';
export {
  type AnsweredRequest,
  IdempotencyKeyRepository,
  type KeyedRequest,
} from './repositories/idempotency-key.repository';
export {
  type DocumentFinding,
  DocumentRepository,
  type PendingDocument,
} from './repositories/document.repository';
export {
  type ActiveInstruction,
  type InstructionPlace,
  type NewInstruction,
  PaymentInstructionRepository,
} from './repositories/payment-instruction.repository';
export {
  type EndedPeriod,
  type NewPeriod,
  StatementPeriodRepository,
} from './repositories/statement-period.repository';
export {
  type AccountLedgerChange,
  type ChargedDays,
  type NewChargedPeriod,
  type NewTransaction,
  type OpenLedger,
  type LedgerChange,
  type LedgerSnapshot,
  TransactionRepository,
} from './repositories/transaction.repository';
export { WelcomeEmailRepository } from './repositories/welcome-email.repository';
export { AccountInspectionRepository, type WholeAccount } from './repositories/account-inspection.repository';
