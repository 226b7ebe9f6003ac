import type { ProcessSelection as ProcessSelectionClass } from './import-processes/import-processes.dto';
import type { RollbackRequest as RollbackRequestClass } from './submissions/submissions.dto';

/** The requests and answers of the console's API. The console imports these types, and nothing else of this program. */
export type { CreateWebhookRequest } from '../webhook-endpoints/webhook-endpoints.dto';
export type { InstanceSettings, ReferenceList, ReferenceLists } from './account-rules/account-rules.dto';
export type { ErasedAccountView, InspectedAccount } from './accounts/accounts.dto';
export type { DocumentPage, RetriedDocuments } from './documents/documents.dto';
export type {
  CorrectionChanges,
  ErasedProcess,
  Payload,
  ProcessActionRequest,
  ProcessPage,
  TakeBackRequest,
  TakenBackProcess,
} from './import-processes/import-processes.dto';
export type {
  ApiKeyList,
  ApiKeyView,
  IssuedApiKey,
  OrganisationList,
  OrganisationView,
} from './keys/keys.dto';
export type { InstructionRequestPage } from './payment-instructions/payment-instructions.dto';
export type { QueueList, WorkerList } from './queues/queues.dto';
export type { OperatorList } from './session/operators.dto';
export type { LoginRequest, SignInMethods } from './session/session.dto';
export type {
  AbortResult,
  RefusedLinePage,
  RollbackResult,
  SubmissionPage,
} from './submissions/submissions.dto';
export type { SupplierPage, SupplierSettingsChange } from './suppliers/suppliers.dto';
export type { WebhookList } from './webhooks/webhooks.dto';
export type {
  WebhookAttemptView,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from '@portage/events';
export type { AccountChangeView } from '@portage/imports';
export type {
  AccountRequestSummary,
  ActionItemList,
  ActionItemView,
  ActionPreviewView,
  ActionResultView,
  AuditEntryView,
  CorrectionSummary,
  EnrolledTotp,
  FollowUpView,
  FoundProcessList,
  FoundProcessView,
  FunnelView,
  HealthView,
  List,
  InstructionRequestView,
  OperatorRole,
  OperatorView,
  OperatorWithPassword,
  OverviewView,
  Page,
  ProcessDetailView,
  ProcessSummaryView,
  QueueView,
  RefusedLineView,
  SessionView,
  StateCountsView,
  SubmissionDetailView,
  SubmissionSummaryView,
  SupplierDetailView,
  SupplierSettingsView,
  SupplierSummaryView,
  TimelineEntryView,
  TopErrorView,
  UnsettledDocumentView,
  WorkerView,
} from '@portage/operators';
export type { ReconciledMeasureView, SubmissionReconciliation } from '@portage/submissions';
export type { ReferenceListSummary, SupplierQuotasView } from '@portage/tenants';

/** The members of a request's class, for objects that are not its instances. */
type BodyOf<Request> = { [Member in keyof Request]: Request[Member] };

export type ProcessSelection = BodyOf<ProcessSelectionClass>;
export type RollbackRequest = BodyOf<RollbackRequestClass>;
