export { ActionItemList } from './action-items/action-items.dto';
export { AttentionMetrics } from './action-items/attention-metrics';
export { ObserveAttention } from './action-items/observe-attention';
export { ViewActionItems } from './action-items/view-action-items';
export { AUDITED_BY, type AuditSearch, SearchAudit } from './audit/search-audit';
export type { ActionSelection } from './console/act-on-processes';
export { AuditEntryView } from './console/audit.dto';
export {
  ActionPreviewView,
  ActionResultView,
  ProcessDetailView,
  ProcessSummaryView,
} from './console/import-processes.dto';
export { maskDetail } from './console/masking';
export { HealthView, OverviewView } from './console/overview.dto';
export type { Page, PageRequest } from './console/page-cursor';
export { ListOf, PageOf } from './console/page.dto';
export { QueueView, WorkerView } from './console/queues.dto';
export { SubmissionDetailView, SubmissionSummaryView } from './console/submissions.dto';
export { SupplierDetailView, SupplierSettingsView, ThroughputView } from './console/suppliers.dto';
export { TAKE_BACK_REASONS, type TakeBackReason } from './console/take-back-reason';
export { VendorView } from './console/vendors.dto';
export * from './console/use-cases';
export { HEARTBEAT_INTERVAL_MS, type WorkerReport } from './console/worker-report';
export { OperatorsModule } from './operators.module';
export { LogIn } from './operators/log-in';
export { OpenIdConnect, type PendingSignIn } from './operators/openid-connect';
export { OperatorAccount } from './operators/operator-account';
export { DEVICE_SECONDS } from './operators/operator-devices';
export { OperatorSessions, type SignedInOperator } from './operators/operator-sessions';
export { includesRole, OPERATOR_ROLES, type OperatorRole } from './operators/operator';
export { EnrolledTotp, OperatorView, OperatorWithPassword, SessionView } from './operators/operators.dto';
export { Operators } from './operators/operators';
export type { LoginClient } from './operators/password-attempts';
export { operatorEntities } from './entities';
