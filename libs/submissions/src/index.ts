export { AbortSubmission } from './abort-submission';
export { PerformAdditions } from './additions/perform-additions';
export type { SubmittedInstruction } from './additions/submission-instruction.repository';
export { ReceiveAdditions } from './additions/receive-additions';
export { CompleteSubmission } from './complete-submission';
export { EraseAccount } from './erasure/erase-account';
export { EraseExpiredPayloads } from './erasure/erase-expired-payloads';
export { EraseProcess } from './erasure/erase-process';
export { LINE_OUTCOMES, type LineOutcome } from './line-outcome';
export { OpenSubmission, type SubmissionParams, type SubmissionRequest } from './open-submission';
export { ReceiveAccounts } from './receive-accounts';
export { ReconcileSubmission } from './reconcile-submission';
export { RESULT_COLUMNS, toResultFields } from './result-fields';
export { type LeftAccount, RollBackSubmission } from './roll-back-submission';
export { isSubmissionId } from './submission-id';
export { SubmissionResults } from './submission-results';
export { buildCounts, buildListed } from './submission-view';
export { SUBMISSION_EVENTS, type SubmissionEvent, SubmissionEventEntity } from './submission-event.entity';
export type { ExpectedValues } from './submission.entity';
export {
  type ListedSubmission,
  type StoredSubmission,
  SubmissionRepository,
  toSubmissionCounts,
} from './submission.repository';
export {
  type AccountsState,
  LINE_ERROR_CODES,
  SUBMISSION_KINDS,
  SUBMISSION_MODES,
  type SubmissionKind,
  type SubmissionMode,
} from './submission';
export {
  AbortedSubmission,
  ListedSubmissionView,
  SubmissionCountsView,
  SubmissionPlanView,
  SubmissionView,
  UploadResult,
} from './submissions.dto';
export { ReconciledMeasureView, SubmissionReconciliation } from './reconciliation.dto';
export { SubmissionResult } from './submission-results.dto';
export { SubmissionsModule } from './submissions.module';
export { Submissions } from './submissions';
export type { UploadBody } from './upload-run';
export { submissionEntities } from './entities';
