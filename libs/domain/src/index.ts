export { accountNumber, LAST_ACCOUNT_SEQUENCE } from './account/account-number';
export { systemClock, type Clock } from './clock';
export { mayBeIdentifier } from './identifier';
export {
  IMPORT_PROCESS_EVENTS,
  publicEventName,
  type ImportProcessEvent,
  type LatestEvent,
} from './import-process/event';
export {
  IMPORT_PROCESS_STATUSES,
  IMPORT_PROCESS_TRANSITIONS,
  statusesAllowing,
  transferStatus,
  transition,
  WORKED_ON,
  type ImportProcessAction,
  type ImportProcessStatus,
  type NoProcess,
  type TransferStatus,
} from './import-process/status';
export {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  VALIDATION_PROFILES,
  type CreationMode,
  type ImportSupplierStatus,
  type ValidationProfile,
} from './import-supplier';
export { scheduleWindow, type ScheduleWindow } from './import-process/schedule-window';
export { PortageError, type ErrorCode, type FieldError, type ProcessError } from './portage-error';
export { readUtcDatetime, toOffsetMicroseconds, toUtcSeconds } from './timestamp';
