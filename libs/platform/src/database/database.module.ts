import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import type { DataSourceOptions } from 'typeorm';
import { ChangeFeed } from './connection/change-feed';
import { ConnectionGauge } from './connection/connection-gauge';
import { dataSourceOptions, openDataSource } from './data-source';
import { Database } from './connection/database';
import { DatabaseClock } from './connection/database-clock';
import { entities } from './entities';
import { RoleWarning } from './roles/role-warning';
import { AccountErasureRepository } from './whole-account/account-erasure.repository';
import { AccountImportRepository } from './whole-account/account-import.repository';
import { AccountRollbackRepository } from './whole-account/account-rollback.repository';
import { AccountInspectionRepository } from './whole-account/account-inspection.repository';
import { AccountLookupsRepository } from './account-lookups/account-lookups.repository';
import { AccountRequestRepository } from './account-request/account-request.repository';
import { ApiKeyRepository } from './access/api-key.repository';
import { AuditRepository } from './audit/audit.repository';
import { DocumentRepository } from './document/document.repository';
import { EventFeedRepository } from './event-feed/event-feed.repository';
import { SubmissionEventRepository } from './event-feed/submission-event.repository';
import { HistoricalStatementRepository } from './historical-statement/historical-statement.repository';
import { IdempotencyKeyRepository } from './account-request/idempotency-key.repository';
import { ImportProcessCountRepository } from './import-process/import-process-count.repository';
import { ImportProcessErasureRepository } from './import-process/import-process-erasure.repository';
import { ImportProcessInspectionRepository } from './import-process/import-process-inspection.repository';
import { SupplierReportRepository } from './supplier/supplier-report.repository';
import { ImportProcessReadingRepository } from './import-process/import-process-reading.repository';
import { ImportProcessSteeringRepository } from './import-process/import-process-steering.repository';
import { PendingProcessRepository } from './import-process/pending-process.repository';
import { ImportProcessStagingRepository } from './import-process/import-process-staging.repository';
import { ImportSupplierRepository } from './supplier/import-supplier.repository';
import { ImportedAccountRepository } from './account/imported-account.repository';
import { NoteRepository } from './note/note.repository';
import { OperatorRulesRepository } from './operator-rules/operator-rules.repository';
import { OrganisationRepository } from './organisation/organisation.repository';
import { PayloadRetentionRepository } from './import-process/payload-retention.repository';
import { PaymentInstructionRepository } from './payment-instruction/payment-instruction.repository';
import { RateLimitRepository } from './access/rate-limit.repository';
import { StatementPeriodRepository } from './ledger/statement-period.repository';
import { SubmissionUploadRepository } from './submission/submission-upload.repository';
import { SubmissionRepository } from './submission/submission.repository';
import { OperatorSessionRepository } from './operator/operator-session.repository';
import { OperatorRepository } from './operator/operator.repository';
import { TransactionRepository } from './ledger/transaction.repository';
import { StaleImportRepository } from './import-process/stale-import.repository';
import { SubmissionReconciliationRepository } from './submission/submission-reconciliation.repository';
import { SubmissionResultsRepository } from './submission/submission-results.repository';
import { WebhookAttemptRepository } from './webhook/webhook-attempt.repository';
import { WebhookDispatchRepository } from './webhook/webhook-dispatch.repository';
import { WebhookEndpointRepository } from './webhook/webhook-endpoint.repository';
import { PoolerCheck } from './connection/pooler-check';
import { LimitedReads } from './connection/limited-reads';
import { ImportProcessBrowsingRepository } from './import-process/import-process-browsing.repository';
import { ImportProcessDetailRepository } from './import-process/import-process-detail.repository';
import { ImportProcessRollupRepository } from './import-process/import-process-rollup.repository';
import { SupplierOverviewRepository } from './import-process/supplier-overview.repository';
import { WorkerHeartbeatRepository } from './worker/worker-heartbeat.repository';
import { WelcomeEmailRepository } from './welcome-email/welcome-email.repository';

const providers = [
  Database,
  DatabaseClock,
  ChangeFeed,
  ConnectionGauge,
  RoleWarning,
  PoolerCheck,
  OrganisationRepository,
  ApiKeyRepository,
  ImportSupplierRepository,
  PendingProcessRepository,
  ImportProcessReadingRepository,
  ImportProcessCountRepository,
  ImportProcessErasureRepository,
  ImportProcessInspectionRepository,
  SupplierReportRepository,
  ImportProcessStagingRepository,
  ImportProcessSteeringRepository,
  StaleImportRepository,
  AccountImportRepository,
  AccountInspectionRepository,
  AccountLookupsRepository,
  AccountRequestRepository,
  DocumentRepository,
  HistoricalStatementRepository,
  IdempotencyKeyRepository,
  ImportedAccountRepository,
  NoteRepository,
  PaymentInstructionRepository,
  RateLimitRepository,
  StatementPeriodRepository,
  TransactionRepository,
  WelcomeEmailRepository,
  AuditRepository,
  AccountErasureRepository,
  AccountRollbackRepository,
  SubmissionReconciliationRepository,
  SubmissionResultsRepository,
  PayloadRetentionRepository,
  OperatorRulesRepository,
  SubmissionRepository,
  SubmissionUploadRepository,
  EventFeedRepository,
  SubmissionEventRepository,
  WebhookAttemptRepository,
  WebhookDispatchRepository,
  WebhookEndpointRepository,
  LimitedReads,
  ImportProcessBrowsingRepository,
  ImportProcessDetailRepository,
  ImportProcessRollupRepository,
  SupplierOverviewRepository,
  WorkerHeartbeatRepository,
  OperatorRepository,
  OperatorSessionRepository,
];

/**
 * The connection pool of a process and the repositories on it. Never migrates: that is `npm run migrate`. Modules that
 * use a repository import this class.
 */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG, Logger],
      useFactory: (config: Config, logger: Logger) => ({
        ...dataSourceOptions(config, (error) => {
          logger.warning('A database connection was lost.', { error });
        }),
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
      dataSourceFactory: async (options) => openDataSource(options as DataSourceOptions),
    }),
    TypeOrmModule.forFeature(entities),
  ],
  providers,
  exports: providers,
})
export class DatabaseModule {}
