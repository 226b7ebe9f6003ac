import type { ImportProcessAction, ImportProcessEvent } from '@portage/imports';

/** An event that changes the status. */
export type StatusEvent = Exclude<
  ImportProcessEvent,
  | 'ERASED'
  | 'POST_IMPORT_COMPLETED'
  | 'POST_IMPORT_ERRORED'
  | 'CORRECTION_SCHEDULED'
  | 'CORRECTED'
  | 'CORRECTION_ERRORED'
  | 'CORRECTION_REHEARSED'
  | 'CORRECTION_REHEARSAL_ERRORED'
>;

/** The action that each event records. */
export const ACTION_OF: Readonly<Record<StatusEvent, ImportProcessAction>> = {
  SCHEDULED: 'schedule',
  STAGED: 'stage',
  SUBMITTED: 'submit',
  STARTED: 'start',
  PROCESSED: 'process',
  ERRORED: 'error',
  DRY_RUN_SUCCEEDED: 'succeed-dry-run',
  DRY_RUN_ERRORED: 'error-dry-run',
  CANCELLED: 'cancel',
  RELEASED: 'release',
  RETRIED: 'retry',
  ROLLED_BACK: 'roll-back',
  TAKEN_BACK: 'roll-back',
};
