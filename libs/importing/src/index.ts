export { Authenticate, type Caller } from './access/authenticate';
export { ObtainToken, type ObtainedToken } from './access/obtain-token';
export { prefixOfApiKey } from './access/api-key-text';
export { Organisations } from './access/organisations';
export { TokenAttempts } from './access/token-attempts';
export { formatPayloadDigest } from './account/account-body';
export { ValidateAccount } from './account/validate-account';
export { EraseAccount, type ErasedAccount } from './account/erase-account';
export { type ImportableVersion, ImportAccounts } from './account/import-accounts';
export type { ImportOutcome } from './account/import-outcomes';
export { type AccountView, toAccountView } from './account/account-view';
export { InspectAccount } from './account/inspect-account';
export { parseAccountBody } from './account/account-body';
export { PayloadAcceptedBefore } from './account/account-refusal';
export { type PostedAccount, type ScheduledAccount, ScheduleAccounts } from './account/schedule-accounts';
export { type AuditFilter, AuditTrail } from './audit/audit-trail';
export { QueueChangeAudit } from './audit/queue-change-audit';
export { type DocumentOutcome, InspectDocument } from './documents/inspect-document';
export { DocumentView } from './documents/documents.dto';
export { ListDocuments } from './documents/list-documents';
export { RetryDocuments, type UnsettledState } from './documents/retry-documents';
export {
  AddHistoricalStatements,
  type StatementsView,
} from './historical-statements/add-historical-statements';
export { nextTurn } from './large-bodies/cpu-turns';
export { charactersOf, isLarge, recordSize } from './large-bodies/is-large';
export { type JsonExcess, type JsonLimits, JsonScanner, MAX_JSON_VALUES } from './large-bodies/json-scanner';
export { EraseProcess } from './import-process/erase-process';
export { CancelImport } from './import-process/cancel-import';
export { ImportStatus } from './import-process/import-status';
export { ImportProcessStatusView, ListItem, TransferStatusView } from './import-process/import-process.dto';
export { ImportProcessCounts } from './import-process/import-process-counts';
export { InspectImportProcesses } from './import-process/inspect-import-processes';
export { LIST_MEMBERS, ListImportProcesses, type ListMember } from './import-process/list-import-processes';
export { type ProcessSelector, SteerImportProcesses } from './import-process/steer-import-processes';
export { type SteeringTally } from './import-process/steering-tally';
export { SweepImportProcesses } from './import-process/sweep-import-processes';
export {
  type AccountEventData,
  buildFeedEvent,
  type EventError,
  type EventSubmission,
  type FeedEvent,
  type SubmissionEventData,
} from './events/feed-event';
export { formatCursor, readCursor, requireCursor } from './events/event-cursor';
export { EventFeedHold } from './events/event-feed-hold';
export { EventsAnswer } from './events/events.dto';
export { type EventsRequest, ReadEvents } from './events/read-events';
export { ImportingModule } from './importing.module';
export { CountImportProcesses } from './maintenance/count-import-processes';
export { EraseExpiredPayloads } from './maintenance/erase-expired-payloads';
export { FinishSubmissions } from './maintenance/finish-submissions';
export { ForgetFinishedRequests } from './maintenance/forget-finished-requests';
export { RollOverStatementPeriods } from './maintenance/roll-over-statement-periods';
export { SendWelcomeEmail, type WelcomeEmailOutcome } from './maintenance/send-welcome-email';
export { SweepFollowUps } from './maintenance/sweep-follow-ups';
export { buildNoOutcomeYet } from './post-import/account-request-dispatcher';
export { describeErrorCount, errorMembers } from './post-import/imported-accounts';
export { AddNotes } from './notes/add-notes';
export { NoteResultView } from './notes/notes.dto';
export { LogIn, type LoginOutcome } from './operators/log-in';
export { OpenIdConnect, type PendingSignIn } from './operators/openid-connect';
export { OperatorAccount } from './operators/operator-account';
export { OperatorSessions, type SignedInOperator } from './operators/operator-sessions';
export { Operators } from './operators/operators';
export { OperatorRules } from './operator-rules/operator-rules';
export { CreatePaymentInstruction } from './payment-instructions/create-payment-instruction';
export {
  type VerificationResult,
  VerifyPaymentInstruction,
} from './payment-instructions/verify-payment-instruction';
export { networkOf } from './rate-limits/network-of';
export { RateLimits, type RateLimit } from './rate-limits/rate-limits';
export { Throttled } from './rate-limits/throttled';
export { Turns } from './rate-limits/turns';
export { Refusal } from './refusal';
export { type DocumentRootReport, ImportSuppliers } from './suppliers/import-suppliers';
export { PerformProcessingRequest, type ProcessingResult } from './staging/perform-processing-request';
export { ProcessStagedAccount } from './staging/process-staged-account';
export { StageAccount } from './staging/stage-account';
export { StagedAccountValidation } from './staging/staged-account-validation';
export { AbortSubmission } from './submissions/abort-submission';
export { CompleteSubmission } from './submissions/complete-submission';
export { OpenSubmission } from './submissions/open-submission';
export { ReceiveAccounts } from './submissions/receive-accounts';
export type { UploadBody } from './submissions/upload-run';
export { type SubmissionPage, Submissions } from './submissions/submissions';
export { SupplierProfile } from './suppliers/supplier-profile';
export { SupplierProfileView } from './suppliers/suppliers.dto';
export { type MigrationReport, SupplierReport } from './suppliers/supplier-report';
export { type InspectedSubmission, InspectSubmissions } from './submissions/inspect-submissions';
export { ReconcileSubmission } from './submissions/reconcile-submission';
export { ReleaseSubmission } from './submissions/release-submission';
export { type LeftAccount, RollBackSubmission, type RollbackTally } from './submissions/roll-back-submission';
export { RESULT_COLUMNS, toResultFields } from './submissions/result-fields';
export { SubmissionResults } from './submissions/submission-results';
export {
  type AddingOutcome,
  ProcessTransactionsRequests,
} from './transactions/process-transactions-requests';
export { type AddedTransactions, AddTransactions } from './transactions/add-transactions';
export { type TransactionsOptions } from './transactions/transactions-request';
export { isTransient } from './transient-failure';
export { MAX_NESTING } from './validation/max-nesting';
export { EraseWebhookAttempts } from './maintenance/erase-webhook-attempts';
export { DispatchWebhooks } from './webhooks/dispatch-webhooks';
export { ObserveWebhooks } from './webhooks/observe-webhooks';
export { type EndpointOptions, OperateWebhooks } from './webhooks/operate-webhooks';
export { TestWebhook } from './webhooks/test-webhook';
export { WebhookEndpoints } from './webhooks/webhook-endpoints';
export { DEFAULT_WEBHOOK_TYPES } from './webhooks/webhook-request';
export { ActingOperator } from './audit/operator';
export { type ActionSelection, ActOnProcesses } from './operator-views/act-on-processes';
export { BrowseProcesses, type ProcessListFilter } from './operator-views/browse-processes';
export { SearchAudit } from './operator-views/search-audit';
export { ViewHealth } from './operator-views/view-health';
export { ViewOverview } from './operator-views/view-overview';
export { ViewProcess } from './operator-views/view-process';
export { ViewQueues } from './operator-views/view-queues';
export { ViewSubmissions } from './operator-views/view-submissions';
export { ViewSuppliers } from './operator-views/view-suppliers';
export { ViewWorkers } from './operator-views/view-workers';
export { ReportWorker } from './workers/report-worker';
export { HEARTBEAT_INTERVAL_MS, type WorkerReport } from './workers/worker-report';
export { TransactionResult } from './transactions/transactions.dto';
export {
  ListedSubmissionView,
  SubmissionView,
  AbortedSubmission,
  UploadResult,
  SubmissionResult,
  SubmissionReconciliation,
} from './submissions/submissions.dto';
export {
  CreateWebhookEndpointRequest,
  ReplayWebhookEventsRequest,
  WebhookAttemptView,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
} from './webhooks/webhooks.dto';
export { SupplierSettingsView, SupplierDetailView, ThroughputView } from './operator-views/suppliers.dto';
export { OverviewView, HealthView } from './operator-views/overview.dto';
export { WorkerView, QueueView } from './operator-views/queues.dto';
export { VendorView } from './operator-views/vendors.dto';
export {
  ProcessSummaryView,
  ProcessDetailView,
  ActionPreviewView,
  ActionResultView,
} from './operator-views/import-processes.dto';
export { SubmissionDetailView, SubmissionSummaryView } from './operator-views/submissions.dto';
export { AuditEntryView } from './operator-views/audit.dto';
export { OperatorView, OperatorWithPassword, SessionView, EnrolledTotp } from './operators/operators.dto';
export { ReferenceListSummary } from './operator-rules/operator-rules.dto';
export { ListOf, PageOf } from './operator-views/page.dto';
