export {
  includesRole,
  isOperatorName,
  isOperatorRole,
  OPERATOR_NAME_RULE,
  OPERATOR_ROLES,
  type OperatorRole,
} from './operator/operator';
export { apiKeyActor, AUDIT_ACTIONS, operatorActor, type AuditAction, type AuditEntry } from './audit';
export { accountNumberOf } from './account/account-number';
export { addDays, dayIn, type LocalDate } from './calendar/local-date';
export { systemClock, type Clock } from './clock';
export {
  documentRootOf,
  documentRootsOverlap,
  findRootConflicts,
  isDocumentRoot,
  type SupplierRoot,
} from './document-root';
export {
  EVENT_DATA_SCHEMAS,
  eventDataSchema,
  exampleEvent,
  FEED_EVENT_SCHEMA,
  type JsonSchema,
} from './events/event-schema';
export {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
  eventTypeOf,
  type FeedSourceEvent,
  isEventType,
  sourceEvents,
  SUBMISSION_EVENTS,
  type SubmissionEvent,
} from './events/event-type';
export { isPossibleIdentifier } from './identifier';
export { escapeForLine, escapeForTerminal, hasInvisibleCharacter } from './invisible-text';
export {
  FEED_PROCESS_EVENTS,
  IMPORT_PROCESS_EVENTS,
  publicEventName,
  type ImportProcessEvent,
  type LatestEvent,
} from './import-process/event';
export {
  includesDryRuns,
  skipReasonOf,
  steerableStatuses,
  STEERING_EVENTS,
  type SkipReason,
  type SteeringAction,
} from './import-process/steering';
export {
  canStage,
  canSubmit,
  endsAtDryRun,
  IMPORT_PROCESS_STATUSES,
  IMPORT_PROCESS_TRANSITIONS,
  statusesAllowing,
  transferStatus,
  transition,
  ACTIVE_STATUSES,
  STAGING_STATES,
  isWaitingForRequest,
  type ImportProcessAction,
  type ImportProcessStatus,
  type NoProcess,
  type StagingState,
  type TransferStatus,
} from './import-process/status';
export { type Pace, paceOf } from './import-process/progress';
export {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
  type CreationMode,
  type ImportSupplierStatus,
  type V1ErrorFormat,
  type ValidationProfile,
} from './import-supplier';
export { adjust } from './ledger/adjustment';
export { balanceAfter, effectOnBalance, TRANSACTION_TYPES, type TransactionType } from './ledger/balance';
export { billingCycleOf, type BillingCycle, type Period } from './ledger/billing-cycle';
export { initialPeriods, rollOver } from './ledger/statement-period';
export { transactionStatuses, type TransactionResultStatus } from './ledger/transaction-identity';
export { formatMoney, parseMoney, type Money } from './money/money';
export { noteResults, type NoteResult } from './note/note-identity';
export { transactionDifferences } from './ledger/transaction-differences';
export { parseScheduleWindow } from './import-process/schedule-window';
export {
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
  VENDOR_CODES,
  type VendorCode,
  type VendorFailureCode,
  type VendorRefusalCode,
} from './payment-instruction/vendor-codes';
export { ERROR_EXPLANATIONS, type ErrorExplanation, OPERATOR_ERROR_CODES } from './error-explanations';
export { nestFieldErrors } from './nested-field-errors';
export {
  PortageError,
  ShapedError,
  type ErrorCode,
  type FieldError,
  type ProcessError,
} from './portage-error';
export { parseUtcDatetime, toOffsetMicroseconds, toUtcSeconds } from './timestamp';
export {
  LINE_ERROR_CODES,
  type LineErrorCode,
  type Measure,
  MEASURES,
  type MeasureValues,
  type StoredSubmissionStatus,
  SUBMISSION_STATUSES,
  type SubmissionLineError,
  type SubmissionStatus,
} from './submission/submission';
export { LINE_OUTCOMES, type LineOutcome } from './submission/line-outcome';
export {
  type MeasureTotals,
  type Reconciliation,
  type ReconciledMeasure,
  type ReconciliationSums,
  reconcile,
} from './submission/reconciliation';
export { type RollbackObstacle, ROLLBACK_OBSTACLES } from './submission/rollback';
export { isSubmissionId } from './submission/submission-id';
export {
  isWebhookEndpointId,
  MAX_WEBHOOK_ENDPOINTS,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_STATUSES,
  WEBHOOK_TEST_TYPE,
  type WebhookDisabledReason,
  type WebhookStatus,
} from './webhook/webhook-endpoint';
export { MAX_FAILING_MS, nextAttemptAt } from './webhook/retry-schedule';
export { maskDetail, maskText, maskValue, pathOfDetail, valueAt } from './masking';
