// Connection
export { DatabaseModule } from './database.module';
export { type AnnouncedTable, ChangeFeed } from './connection/change-feed';
export { ConnectionGauge } from './connection/connection-gauge';
export { Database, type Executor, type Statement } from './connection/database';
export { DatabaseClock } from './connection/database-clock';
export { rowTypes } from './data-source';
export { DatabaseUnavailable } from './connection/database-unavailable';
export { migrate, type MigrationReport } from './migrate';
export { APPEND_ONLY_TABLES, UnsuitableRole } from './roles/application-role';

// Organisations and their access
export { OrganisationEntity } from './organisation/organisation.entity';
export { OrganisationRepository } from './organisation/organisation.repository';
export { ApiKeyEntity } from './access/api-key.entity';
export { ApiKeyRepository } from './access/api-key.repository';
export { OperatorEntity } from './operator/operator.entity';
export { type OperatorChange, OperatorRepository } from './operator/operator.repository';
export { type ActiveSession, OperatorSessionRepository } from './operator/operator-session.repository';
export { RateLimitRepository, type UsedLimit } from './access/rate-limit.repository';
export { type AuditedAction, type AuditCursor, AuditRepository } from './audit/audit.repository';

// Suppliers and rules
export { ImportSupplierEntity, type RuleSettingValues } from './supplier/import-supplier.entity';
export {
  DocumentRootTaken,
  ImportSupplierRepository,
  type ImportSupplierSettings,
} from './supplier/import-supplier.repository';
export { type ErrorCount, SupplierReportRepository } from './supplier/supplier-report.repository';
export { OperatorRulesRepository } from './operator-rules/operator-rules.repository';

// Import processes
export { ImportProcessEventEntity } from './import-process/import-process-event.entity';
export { ImportProcessEntity } from './import-process/import-process.entity';
export { ImportProcessCountRepository } from './import-process/import-process-count.repository';
export {
  ImportProcessErasureRepository,
  type LockedProcess,
} from './import-process/import-process-erasure.repository';
export { ImportProcessInspectionRepository } from './import-process/import-process-inspection.repository';
export {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ListedImportProcess,
  type ListedKind,
  type ListSelection,
  type ProcessName,
  type ProcessNaming,
} from './import-process/import-process-reading.repository';
export {
  type ExistingProcess,
  type PendingProcess,
  PendingProcessRepository,
  type ProcessVersion,
  type RefusedLine,
  type UploadWrites,
  type WrittenProcess,
} from './import-process/pending-process.repository';
export {
  ImportProcessSteeringRepository,
  type SteeredProcess,
  type Steering,
  type StretchCount,
  type StretchSelection,
} from './import-process/import-process-steering.repository';
export {
  ImportProcessStagingRepository,
  type ProcessEnd,
  type StagingProcess,
} from './import-process/import-process-staging.repository';
export { PayloadRetentionRepository } from './import-process/payload-retention.repository';
export { StaleImportRepository, type StaleProcess } from './import-process/stale-import.repository';

// Submissions
export {
  type ListedSubmission,
  type NewSubmission,
  type StoredSubmission,
  type SubmissionCounts,
  SubmissionRepository,
  toSubmissionCounts,
} from './submission/submission.repository';
export {
  type UploadCounts,
  type UploadKey,
  SubmissionUploadRepository,
} from './submission/submission-upload.repository';

// Accounts as a whole
export { type AccountRows, accountTables } from './whole-account/account-rows';
export {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  type CreatedAccount,
  type FailedImport,
  type NewAccount,
  type StartedImport,
  type UnstartedReason,
} from './whole-account/account-import.repository';
export { AccountErasureRepository, type LockedAccount } from './whole-account/account-erasure.repository';
export {
  AccountRollbackRepository,
  type RollbackCounts,
  type SubmittedAccount,
} from './whole-account/account-rollback.repository';
export {
  AccountInspectionRepository,
  type WholeAccount,
} from './whole-account/account-inspection.repository';
export {
  AccountLookupsRepository,
  type Findings,
  type LookupFindings,
  type LookupKind,
  type AccountLookup,
  type LookupScope,
} from './account-lookups/account-lookups.repository';

// Requests about imported accounts
export {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
} from './account/imported-account.repository';
export {
  type AccountRequestKind,
  AccountRequestRepository,
  type AccountRequestSubmission,
  inFlightKey,
  type NewAccountRequest,
  type NewProcessingRequest,
  type PendingAccountRequest,
  type StaleAccountRequest,
  type ProcessingRequest,
  type StoredAccountRequest,
} from './account-request/account-request.repository';
export {
  type AnsweredRequest,
  IdempotencyKeyRepository,
  type KeyedRequest,
} from './account-request/idempotency-key.repository';

// Parts of accounts
export {
  type EndedPeriod,
  type NewPeriod,
  StatementPeriodRepository,
} from './ledger/statement-period.repository';
export {
  type AccountLedgerChange,
  type LedgerChange,
  type LedgerSnapshot,
  type NewChargedPeriod,
  type NewTransaction,
  type StoredTransaction,
  type OpenLedger,
  TransactionRepository,
} from './ledger/transaction.repository';
export { type NewNote, NoteRepository } from './note/note.repository';
export {
  HistoricalStatementRepository,
  type StoredHistoricalStatement,
} from './historical-statement/historical-statement.repository';
export {
  type InspectionResult,
  DocumentRepository,
  type PendingDocument,
  type UnsettledDocument,
} from './document/document.repository';
export {
  ONE_ORGANISATION_CONSTRAINT,
  PaymentInstructionRepository,
} from './payment-instruction/payment-instruction.repository';
export { WelcomeEmailRepository } from './welcome-email/welcome-email.repository';

// Results of submissions
export {
  type LinePosition,
  type SubmissionResultRow,
  SubmissionResultsRepository,
} from './submission/submission-results.repository';
export {
  type ProcessPart,
  type ProcessPosition,
  SubmissionReconciliationRepository,
} from './submission/submission-reconciliation.repository';

// The feed of events
export { beforeTransaction, BEGINNING, type EventPosition } from './event-feed/event-position';
export {
  EventFeedRepository,
  type EventPage,
  type FeedHold,
  type FollowedFeed,
  type StoredEvent,
  type StoredEventAccount,
} from './event-feed/event-feed.repository';
export { SubmissionEventRepository, type UnannouncedEnd } from './event-feed/submission-event.repository';

// Webhooks
export { type StoredWebhookAttempt, WebhookAttemptRepository } from './webhook/webhook-attempt.repository';
export {
  type DispatchProgress,
  type EndpointLease,
  type NewWebhookAttempt,
  WebhookDispatchRepository,
} from './webhook/webhook-dispatch.repository';
export {
  type EndpointChange,
  type StoredWebhookEndpoint,
  WebhookEndpointRepository,
} from './webhook/webhook-endpoint.repository';

// Pages of operators
export { LimitedReads, PageTooSlow } from './connection/limited-reads';
export {
  type BrowsedPage,
  type BrowsedProcess,
  type BrowseFilter,
  type IdentifierCursor,
  ImportProcessBrowsingRepository,
} from './import-process/import-process-browsing.repository';
export {
  type AccountRequestRow,
  type CreatedAccountRow,
  type FollowUpRow,
  ImportProcessDetailRepository,
  type ProcessDetailRow,
  type ProcessEventRow,
} from './import-process/import-process-detail.repository';
export {
  ImportProcessRollupRepository,
  type StoredMinute,
} from './import-process/import-process-rollup.repository';
export {
  type SupplierOverview,
  SupplierOverviewRepository,
  type SupplierWithOrganisation,
} from './import-process/supplier-overview.repository';
export { type StoredWorker, WorkerHeartbeatRepository } from './worker/worker-heartbeat.repository';
