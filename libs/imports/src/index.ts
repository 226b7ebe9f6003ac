export { AcceptAccounts } from './accounts/accept-accounts';
export type { AcceptedAccount, AccountToAccept, Decision } from './accounts/account-to-accept';
export { formatPayloadDigest, hashPayload, identifierAt, parseAccountBody } from './accounts/account-body';
export {
  type AccountCreation,
  AccountImportRepository,
  type FailedImport,
  type StartedImport,
  type SucceededDryRun,
  type UnstartedReason,
} from './accounts/account-import.repository';
export { type AccountHistory, AccountRemovalRepository } from './accounts/account-removal.repository';
export {
  type AccountRefusal,
  ERASED_DETAIL,
  IDENTIFIER_TAKEN_DETAIL,
  IN_PROGRESS_DETAIL,
  PayloadAcceptedBefore,
} from './accounts/account-refusal';
export { AccountValidation } from './accounts/account-validation';
export { DatabaseRules } from './accounts/database-rules';
export { type ImportableVersion, ImportAccounts } from './accounts/import-accounts';
export type { ImportOutcome } from './accounts/import-outcomes';
export { ImportedAccountView, ReadAccount } from './accounts/read-account';
export { type PostedAccount, ScheduleAccounts, type ScheduledAccount } from './accounts/schedule-accounts';
export { findTaskParamsErrors, parseDryRun, parseWindow } from './accounts/task-params';
export { TakeBackAccount } from './accounts/take-back-account';
export { ValidateAccount } from './accounts/validate-account';
export type { ImportCountKind } from './counts/import-count.entity';
export { type AccountChange, MAX_CHANGES } from './processes/account-changes';
export { CorrectAccount } from './accounts/correct-account';
export { AccountChangeView, AccountCorrectionView } from './accounts/correction.dto';
export { CorrectionRepository } from './accounts/correction.repository';
export { decideCorrection } from './accounts/decide-correction';
export { ImportProcessCorrectionEntity } from './processes/import-process-correction.entity';
export { FoldImportCounts } from './counts/fold-import-counts';
export {
  countsOfSuppliers,
  ImportCountRepository,
  NO_RATES,
  type Rates,
  RATES,
  recentThroughput,
  type Throughput,
  throughputByMinute,
} from './counts/import-count.repository';
export { ImportProcessCounts } from './counts/import-process-counts';
export { ImportsModule } from './imports.module';
export { CancelImport } from './processes/cancel-import';
export { canReimport, hasErasedAccount } from './processes/erased-numbers';
export {
  type ErasedProcess,
  ImportProcessErasureRepository,
  type LockedProcess,
} from './processes/import-process-erasure.repository';
export { FEED_PROCESS_EVENTS, IMPORT_PROCESS_EVENTS, type ImportProcessEvent } from './processes/event';
export { ImportProcessEventEntity } from './processes/import-process-event.entity';
export { ImportProcessReadingRepository } from './processes/import-process-reading.repository';
export { ImportProcessSteeringRepository } from './processes/import-process-steering.repository';
export {
  exampleImportProcess,
  ImportProcessStatusView,
  ListItem,
  TransferStatusView,
} from './processes/import-process.dto';
export { type FailedField, ImportProcessEntity } from './processes/import-process.entity';
export { ImportProcessPayloadEntity } from './processes/import-process-payload.entity';
export { ImportStatus } from './processes/import-status';
export { ListFailedProcesses } from './processes/list-failed-processes';
export {
  type ListedKind,
  LIST_MEMBERS,
  ListImportProcesses,
  type ListMember,
} from './processes/list-import-processes';
export { PayloadRetentionRepository } from './processes/payload-retention.repository';
export {
  type ExistingProcess,
  type ImportedLine,
  type PendingProcess,
  PendingProcessRepository,
  type ProcessVersion,
  keyOfAccount,
  keyOfImported,
  type RefusedLine,
  type RepeatedLine,
  type SubmissionLineError,
  type UploadKey,
} from './processes/pending-process.repository';
export { StaleImportRepository, type StaleProcess } from './processes/stale-import.repository';
export {
  ACTIVE_STATUSES,
  type CorrectionStatus,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessAction,
  type ImportProcessStatus,
  statusesAllowing,
  transition,
} from './processes/status';
export { type ProcessSelector, SteerImportProcesses } from './processes/steer-import-processes';
export type { SteeringTally } from './processes/steering-tally';
export { STEERING_EVENTS, type SteeringAction } from './processes/steering';
export { SweepImportProcesses } from './processes/sweep-import-processes';
export { WarningView } from './processes/warning.dto';
export { warningsOfProcess } from './processes/warnings';
export { PerformProcessingRequest } from './staging/perform-processing-request';
export { ProcessStagedAccount } from './staging/process-staged-account';
export { StageAccount } from './staging/stage-account';
export { StagedAccountValidation } from './staging/staged-account-validation';
export {
  isAmount,
  LINE_MEASURES,
  type LineMeasure,
  type Measure,
  MEASURE_KINDS,
  type MeasureKind,
  MEASURES,
  type MeasureValues,
} from './submission-lines/measures';
export { measurePayload } from './submission-lines/measure-account';
export { findStrayMembers, parameterNames, parameterOf, type StrayMember } from './accounts/stray-members';
export { TASK_PARAMS } from './accounts/task-params';
export { importEntities } from './entities';
export { ImportMetrics } from './counts/import-metrics';
