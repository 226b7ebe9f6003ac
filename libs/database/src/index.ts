export { ChangeFeed, type AnnouncedTable } from './connection/change-feed';
export { Database, type Executor, type Statement } from './connection/database';
export { DatabaseUnavailable } from './connection/database-unavailable';
export { DatabaseModule } from './database.module';
export { dataSourceOptions, type DatabaseSettings } from './connection/data-source';
export { AccountReferenceEntity } from './account/account-reference.entity';
export { AccountEntity } from './account/account.entity';
export { ApiKeyEntity } from './access/api-key.entity';
export { AuditEntryEntity } from './audit/audit-entry.entity';
export { ChargedPeriodEntity } from './ledger/charged-period.entity';
export { CustomerEntity } from './account/customer.entity';
export { DebtEntity } from './account/debt.entity';
export { ImportProcessEventEntity } from './import-process/import-process-event.entity';
export { ImportProcessPayloadEntity } from './import-process/import-process-payload.entity';
export { ImportProcessEntity } from './import-process/import-process.entity';
export { ImportSupplierEntity, type RuleSettingValues } from './supplier/import-supplier.entity';
export { OrganisationEntity } from './organisation/organisation.entity';
export { ReferenceDataEntity } from './operator-rules/reference-data.entity';
export { RefreshTokenEntity } from './access/refresh-token.entity';
export { AccountRequestEntity } from './account-request/account-request.entity';
export { AgreementEntity } from './account/agreement.entity';
export { DocumentEntity } from './document/document.entity';
export { HistoricalStatementEntity } from './historical-statement/historical-statement.entity';
export { IdempotencyKeyEntity } from './account-request/idempotency-key.entity';
export { LedgerEntity } from './ledger/ledger.entity';
export { NoteEntity } from './note/note.entity';
export { PaymentInstructionEntity } from './payment-instruction/payment-instruction.entity';
export { StatementPeriodEntity } from './ledger/statement-period.entity';
export { SupplyPointEntity } from './account/supply-point.entity';
export { TransactionEntity } from './ledger/transaction.entity';
export { WelcomeEmailEntity } from './welcome-email/welcome-email.entity';
export { migrate } from './connection/migrate';
export {
  type AccountRow,
  type AccountRows,
  type AccountTable,
  accountTables,
} from './whole-account/account-rows';
export {
  type AccountCreation,
  AccountImportRepository,
  type CreatedAccount,
  type FailedImport,
  type NewAccount,
  type StartedImport,
} from './whole-account/account-import.repository';
export { ApiKeyRepository, type NewRefreshToken, type UsedRefreshToken } from './access/api-key.repository';
export {
  AccountErasureRepository,
  type LockedAccount,
  type UsedDocument,
} from './whole-account/account-erasure.repository';
export {
  type PayloadRetention,
  PayloadRetentionRepository,
} from './import-process/payload-retention.repository';
export { AuditRepository, type AuditedAction, type AuditPlace } from './audit/audit.repository';
export {
  identityOf,
  ImportProcessRepository,
  type ImportProcessState,
  type ProcessVersion,
  type ScheduledImport,
} from './import-process/import-process-scheduling.repository';
export {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ListedImportProcess,
  type ListedKind,
  type ProcessName,
  type ProcessNaming,
} from './import-process/import-process-reading.repository';
export { ConnectionGauge } from './connection/connection-gauge';
export { ImportProcessCountRepository } from './import-process/import-process-count.repository';
export {
  ImportProcessSteeringRepository,
  type ProcessSelection,
  type SteeredProcess,
  type Steering,
} from './import-process/import-process-steering.repository';
export { StaleImportRepository, type StaleProcess } from './import-process/stale-import.repository';
export { ImportSupplierRepository, type ImportSupplierSettings } from './supplier/import-supplier.repository';
export { RateLimitRepository, type UsedLimit } from './access/rate-limit.repository';
export { OrganisationRepository } from './organisation/organisation.repository';
export {
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
  type LookupQuestion,
  type LookupScope,
} from './account-lookups/account-lookups.repository';
export { OperatorRulesRepository } from './operator-rules/operator-rules.repository';
export { ImportProcessInspectionRepository } from './import-process/import-process-inspection.repository';
export {
  type ErrorCount,
  type StatusCount,
  SupplierReportRepository,
} from './supplier/supplier-report.repository';
export {
  type AccountRequestKind,
  AccountRequestRepository,
  inFlightKey,
  type NewAccountRequest,
  type PendingAccountRequest,
  type StaleAccountRequest,
  type StoredAccountRequest,
} from './account-request/account-request.repository';
export {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
} from './account/imported-account.repository';
export {
  HistoricalStatementRepository,
  type NewHistoricalStatement,
} from './historical-statement/historical-statement.repository';
export { type IdentifiedNote, type NewNote, NoteRepository } from './note/note.repository';
export {
  type AnsweredRequest,
  IdempotencyKeyRepository,
  type KeyedRequest,
} from './account-request/idempotency-key.repository';
export {
  type DocumentFinding,
  DocumentRepository,
  type PendingDocument,
} from './document/document.repository';
export {
  type ActiveInstruction,
  type InstructionPlace,
  type NewInstruction,
  PaymentInstructionRepository,
} from './payment-instruction/payment-instruction.repository';
export {
  type EndedPeriod,
  type NewPeriod,
  StatementPeriodRepository,
} from './ledger/statement-period.repository';
export {
  type AccountLedgerChange,
  type ChargedDays,
  type NewChargedPeriod,
  type NewTransaction,
  type OpenLedger,
  type LedgerChange,
  type LedgerSnapshot,
  TransactionRepository,
} from './ledger/transaction.repository';
export { WelcomeEmailRepository } from './welcome-email/welcome-email.repository';
export {
  AccountInspectionRepository,
  type WholeAccount,
} from './whole-account/account-inspection.repository';
