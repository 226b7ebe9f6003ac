import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CONFIG } from '@portage/config';
import { DatabaseClock, DatabaseModule } from '@portage/database';
import { DocumentsModule } from '@portage/documents';
import { MailModule } from '@portage/mail';
import { QueuesModule } from '@portage/queues';
import { VendorsModule } from '@portage/vendors';
import { WebhooksModule } from '@portage/webhooks';
import { AccessTokens } from './access/access-tokens';
import { Authenticate } from './access/authenticate';
import { ObtainToken } from './access/obtain-token';
import { Organisations } from './access/organisations';
import { TokenAttempts } from './access/token-attempts';
import { AccountFollowUps } from './follow-ups/account-follow-ups';
import { AccountNumbers } from './account/account-numbers';
import { AccountValidation } from './account/account-validation';
import { EraseAccount } from './account/erase-account';
import { ImportAccounts } from './account/import-accounts';
import { InspectAccount } from './account/inspect-account';
import { ScheduleAccounts } from './account/schedule-accounts';
import { AcceptAccounts } from './account/accept-accounts';
import { ValidateAccount } from './account/validate-account';
import { AccountRequestDispatcher } from './post-import/account-request-dispatcher';
import { ImportedAccounts } from './post-import/imported-accounts';
import { KeyedRequests } from './idempotency/keyed-requests';
import { OUTCOME_POLLING, outcomePolling, OutcomeWaiter } from './post-import/outcome-waiter';
import { ImportedAccountFinder } from './post-import/imported-account-finder';
import { AuditTrail } from './audit/audit-trail';
import { ActingOperator, OPERATOR, operatorOf } from './audit/operator';
import { QueueChangeAudit } from './audit/queue-change-audit';
import { StoredLookups } from './account/stored-lookups';
import { CLOCK } from './clock-token';
import { DocumentPaths } from './documents/document-paths';
import { ListDocuments } from './documents/list-documents';
import { InspectDocument } from './documents/inspect-document';
import { DocumentedRequestHandler } from './documented-requests/documented-request-handler';
import { RetryDocuments } from './documents/retry-documents';
import { AddHistoricalStatements } from './historical-statements/add-historical-statements';
import { AnnounceSubmissionEnds } from './events/announce-submission-ends';
import { ARRIVAL_POLLING, arrivalPolling, EventArrivals } from './events/event-arrivals';
import { EventFeedHold } from './events/event-feed-hold';
import { ReadEvents } from './events/read-events';
import { ImportProcessFinder } from './import-process/import-process-finder';
import { EraseProcess } from './import-process/erase-process';
import { CancelImport } from './import-process/cancel-import';
import { ImportStatus } from './import-process/import-status';
import { ImportProcessCounts } from './import-process/import-process-counts';
import { InspectImportProcesses } from './import-process/inspect-import-processes';
import { ListImportProcesses } from './import-process/list-import-processes';
import { SteerImportProcesses } from './import-process/steer-import-processes';
import { SweepImportProcesses } from './import-process/sweep-import-processes';
import { CACHE_LIFETIME_MS, DEFAULT_CACHE_LIFETIME_MS } from './invalidating-cache';
import { CountImportProcesses } from './maintenance/count-import-processes';
import { EraseExpiredPayloads } from './maintenance/erase-expired-payloads';
import { EraseWebhookAttempts } from './maintenance/erase-webhook-attempts';
import { FinishSubmissions } from './maintenance/finish-submissions';
import { ForgetFinishedRequests } from './maintenance/forget-finished-requests';
import { RollOverStatementPeriods } from './maintenance/roll-over-statement-periods';
import { SendWelcomeEmail } from './maintenance/send-welcome-email';
import { SweepFollowUps } from './maintenance/sweep-follow-ups';
import { AddNotes } from './notes/add-notes';
import { FailedLogins } from './operators/failed-logins';
import { LogIn } from './operators/log-in';
import { OpenIdConnect } from './operators/openid-connect';
import { OperatorAccount } from './operators/operator-account';
import { OperatorSecrets } from './operators/operator-secrets';
import { OperatorSessions } from './operators/operator-sessions';
import { Operators } from './operators/operators';
import { PasswordAttempts } from './operators/password-attempts';
import { PasswordHashes } from './operators/password-hash';
import { OperatorRules } from './operator-rules/operator-rules';
import { RuleSettingsDirectory } from './operator-rules/rule-settings-directory';
import { CreatePaymentInstruction } from './payment-instructions/create-payment-instruction';
import { PaymentInstructions } from './payment-instructions/payment-instructions';
import { VerifyPaymentInstruction } from './payment-instructions/verify-payment-instruction';
import { RateLimits } from './rate-limits/rate-limits';
import { PerformProcessingRequest } from './staging/perform-processing-request';
import { ProcessStagedAccount } from './staging/process-staged-account';
import { StageAccount } from './staging/stage-account';
import { StagedAccountValidation } from './staging/staged-account-validation';
import { AbortSubmission } from './submissions/abort-submission';
import { CompleteSubmission } from './submissions/complete-submission';
import { OpenSubmission } from './submissions/open-submission';
import { ReceiveAccounts } from './submissions/receive-accounts';
import { SubmissionProgress } from './submissions/submission-progress';
import { Submissions } from './submissions/submissions';
import { ImportSupplierDirectory } from './suppliers/import-supplier-directory';
import { ImportSuppliers } from './suppliers/import-suppliers';
import { SupplierProfile } from './suppliers/supplier-profile';
import { SupplierReport } from './suppliers/supplier-report';
import { InspectSubmissions } from './submissions/inspect-submissions';
import { ReconcileSubmission } from './submissions/reconcile-submission';
import { ReleaseSubmission } from './submissions/release-submission';
import { RollBackSubmission } from './submissions/roll-back-submission';
import { SubmissionResults } from './submissions/submission-results';
import { ProcessTransactionsRequests } from './transactions/process-transactions-requests';
import { TransactionsWriter } from './transactions/transactions-writer';
import { AddTransactions } from './transactions/add-transactions';
import { SchemaContexts } from './validation/schema-contexts';
import { AttemptDelivery } from './webhooks/attempt-delivery';
import { DispatchWebhooks } from './webhooks/dispatch-webhooks';
import { ObserveWebhooks } from './webhooks/observe-webhooks';
import { OperateWebhooks } from './webhooks/operate-webhooks';
import { ServeWebhookEndpoint } from './webhooks/serve-webhook-endpoint';
import { TestWebhook } from './webhooks/test-webhook';
import { WebhookEndpoints } from './webhooks/webhook-endpoints';
import { WebhookSecrets } from './webhooks/webhook-secrets';

import { ActOnProcesses } from './operator-views/act-on-processes';
import { BrowseProcesses } from './operator-views/browse-processes';
import { PageReads } from './operator-views/page-reads';
import { ReportWorker } from './workers/report-worker';
import { RollUpImportProcesses } from './maintenance/roll-up-import-processes';
import { SearchAudit } from './operator-views/search-audit';
import { ViewHealth } from './operator-views/view-health';
import { ViewOverview } from './operator-views/view-overview';
import { ViewProcess } from './operator-views/view-process';
import { ViewQueues } from './operator-views/view-queues';
import { ViewSubmissions } from './operator-views/view-submissions';
import { ViewSuppliers } from './operator-views/view-suppliers';
import { ViewWorkers } from './operator-views/view-workers';

/** The use cases that other modules inject. */
const useCases = [
  AbortSubmission,
  AcceptAccounts,
  AccessTokens,
  AccountFollowUps,
  AccountNumbers,
  AccountRequestDispatcher,
  AccountValidation,
  AddHistoricalStatements,
  AddNotes,
  AnnounceSubmissionEnds,
  TransactionsWriter,
  AuditTrail,
  Authenticate,
  CancelImport,
  CompleteSubmission,
  CountImportProcesses,
  CreatePaymentInstruction,
  AddTransactions,
  DocumentPaths,
  EraseAccount,
  EraseExpiredPayloads,
  EraseProcess,
  EventArrivals,
  EventFeedHold,
  FinishSubmissions,
  ForgetFinishedRequests,
  ImportAccounts,
  ImportProcessCounts,
  ImportStatus,
  ImportedAccounts,
  ImportedAccountFinder,
  ImportSupplierDirectory,
  ImportSuppliers,
  SupplierProfile,
  SupplierReport,
  InspectAccount,
  InspectDocument,
  InspectImportProcesses,
  InspectSubmissions,
  KeyedRequests,
  ListDocuments,
  ListImportProcesses,
  FailedLogins,
  LogIn,
  ObtainToken,
  OpenIdConnect,
  OpenSubmission,
  OperatorAccount,
  OperatorRules,
  Operators,
  OperatorSecrets,
  OperatorSessions,
  PasswordAttempts,
  PasswordHashes,
  Organisations,
  OutcomeWaiter,
  RateLimits,
  DocumentedRequestHandler,
  PaymentInstructions,
  ProcessTransactionsRequests,
  QueueChangeAudit,
  PerformProcessingRequest,
  ProcessStagedAccount,
  ReadEvents,
  ReceiveAccounts,
  ReconcileSubmission,
  ReleaseSubmission,
  RetryDocuments,
  RollBackSubmission,
  RollOverStatementPeriods,
  RuleSettingsDirectory,
  ScheduleAccounts,
  SchemaContexts,
  StageAccount,
  StagedAccountValidation,
  SteerImportProcesses,
  SubmissionProgress,
  Submissions,
  SubmissionResults,
  SendWelcomeEmail,
  SweepFollowUps,
  SweepImportProcesses,
  VerifyPaymentInstruction,
  TokenAttempts,
  ValidateAccount,
  AttemptDelivery,
  DispatchWebhooks,
  EraseWebhookAttempts,
  ObserveWebhooks,
  OperateWebhooks,
  ServeWebhookEndpoint,
  TestWebhook,
  WebhookEndpoints,
  WebhookSecrets,
  ActOnProcesses,
  BrowseProcesses,
  PageReads,
  ReportWorker,
  RollUpImportProcesses,
  SearchAudit,
  ViewHealth,
  ViewOverview,
  ViewProcess,
  ViewQueues,
  ViewSubmissions,
  ViewSuppliers,
  ViewWorkers,
];

/** The ports of the use cases, and the use cases that run in cohorts. */
const batched: Provider[] = [ImportProcessFinder, StoredLookups];

/** The use cases that the API, the worker and the command line share. */
@Module({
  imports: [DatabaseModule, QueuesModule, VendorsModule, DocumentsModule, MailModule, WebhooksModule],
  providers: [
    ...useCases,
    ...batched,
    { provide: ARRIVAL_POLLING, useValue: arrivalPolling },
    { provide: OUTCOME_POLLING, useValue: outcomePolling },
    { provide: CACHE_LIFETIME_MS, useValue: DEFAULT_CACHE_LIFETIME_MS },
    { provide: CLOCK, useExisting: DatabaseClock },
    { provide: OPERATOR, inject: [CONFIG], useFactory: operatorOf },
    {
      provide: ActingOperator,
      inject: [OPERATOR],
      useFactory: (operator: string) => new ActingOperator(operator),
    },
  ],
  exports: [...useCases, ActingOperator],
})
export class ImportingModule {
  /** Builds the module with another lifetime of cached rows. Tests pass 0, so that a change takes effect at once. */
  static withCacheLifetime(lifetimeMs: number): DynamicModule {
    return {
      module: ImportingModule,
      providers: [{ provide: CACHE_LIFETIME_MS, useValue: lifetimeMs }],
    };
  }
}
