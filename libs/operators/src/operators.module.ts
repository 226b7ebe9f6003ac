import { consoleUseCases } from './console/use-cases';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { PlatformModule } from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';
import { ActionItemsRepository } from './action-items/action-items.repository';
import { AttentionMetrics } from './action-items/attention-metrics';
import { ObserveAttention } from './action-items/observe-attention';
import { ViewActionItems } from './action-items/view-action-items';
import { AuditedActionRepository } from './audit/audited-action.repository';
import { SearchAudit } from './audit/search-audit';
import { operatorEntities } from './entities';
import { ImportProcessBrowsingRepository } from './console/import-process-browsing.repository';
import { ImportProcessDetailRepository } from './console/import-process-detail.repository';
import { PageReads } from './console/page-reads';
import { SupplierOverviewRepository } from './console/supplier-overview.repository';
import { WorkerHeartbeatRepository } from './console/worker-heartbeat.repository';
import { FailedLogins } from './operators/failed-logins';
import { LogIn } from './operators/log-in';
import { OpenIdConnect } from './operators/openid-connect';
import { OperatorAccount } from './operators/operator-account';
import { OperatorSecrets } from './operators/operator-secrets';
import { OperatorSessionRepository } from './operators/operator-session.repository';
import { OperatorSessions } from './operators/operator-sessions';
import { OperatorRepository } from './operators/operator.repository';
import { Operators } from './operators/operators';
import { PasswordAttempts } from './operators/password-attempts';
import { PasswordHashes } from './operators/password-hash';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  ...consoleUseCases,
  ActionItemsRepository,
  AuditedActionRepository,
  FailedLogins,
  ImportProcessBrowsingRepository,
  ImportProcessDetailRepository,
  LogIn,
  AttentionMetrics,
  ObserveAttention,
  OpenIdConnect,
  OperatorAccount,
  OperatorRepository,
  OperatorSecrets,
  OperatorSessionRepository,
  OperatorSessions,
  Operators,
  PageReads,
  PasswordAttempts,
  PasswordHashes,
  SearchAudit,
  SupplierOverviewRepository,
  ViewActionItems,
  WorkerHeartbeatRepository,
];

/** Operators, their sessions, the audit and the figures of their pages. */
@Module({
  imports: [
    PlatformModule,
    TenantsModule,
    AccountsModule,
    ImportsModule,
    SubmissionsModule,
    EventsModule,
    TypeOrmModule.forFeature(operatorEntities),
  ],
  providers,
  exports: providers,
})
export class OperatorsModule {}
