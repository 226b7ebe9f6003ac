export { type AuditSearch, SearchAudit } from './audit/search-audit';
export { type ActionSelection, ActOnProcesses } from './figures/act-on-processes';
export { AuditEntryView } from './figures/audit.dto';
export { BrowseProcesses } from './figures/browse-processes';
export {
  ActionPreviewView,
  ActionResultView,
  ProcessDetailView,
  ProcessSummaryView,
} from './figures/import-processes.dto';
export { maskDetail } from './figures/masking';
export { HealthView, OverviewView } from './figures/overview.dto';
export { ListOf, PageOf } from './figures/page.dto';
export { QueueChangeAudit } from './figures/queue-change-audit';
export { QueueView, WorkerView } from './figures/queues.dto';
export { ReportWorker } from './figures/report-worker';
export { SubmissionDetailView, SubmissionSummaryView } from './figures/submissions.dto';
export { SupplierDetailView, SupplierSettingsView, ThroughputView } from './figures/suppliers.dto';
export { VendorView } from './figures/vendors.dto';
export { ViewHealth } from './figures/view-health';
export { ViewOverview } from './figures/view-overview';
export { type StoredProcess, ViewProcess } from './figures/view-process';
export { ViewQueues } from './figures/view-queues';
export { ViewSubmissions } from './figures/view-submissions';
export { ViewSuppliers } from './figures/view-suppliers';
export { ViewWorkers } from './figures/view-workers';
export { HEARTBEAT_INTERVAL_MS, type WorkerReport } from './figures/worker-report';
export { OperatorsModule } from './operators.module';
export { LogIn } from './operators/log-in';
export { OpenIdConnect, type PendingSignIn } from './operators/openid-connect';
export { OperatorAccount } from './operators/operator-account';
export { OperatorSessions, type SignedInOperator } from './operators/operator-sessions';
export { includesRole, OPERATOR_ROLES, type OperatorRole } from './operators/operator';
export { EnrolledTotp, OperatorView, OperatorWithPassword, SessionView } from './operators/operators.dto';
export { Operators } from './operators/operators';
