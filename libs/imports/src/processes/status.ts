import type { CreationMode } from '@portage/tenants';

/** The states of an import process (contract, "States of an import in v2"). */
export const IMPORT_PROCESS_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'PROCESSED',
  'ERRORED',
] as const;
export type ImportProcessStatus = (typeof IMPORT_PROCESS_STATUSES)[number];

/**
 * The states of a correction of an imported account, whose process stays PROCESSED. One with a dry run has succeeded without a
 * change.
 */
export const CORRECTION_STATUSES = ['PENDING', 'SUCCEEDED', 'ERRORED', 'CANCELLED'] as const;
export type CorrectionStatus = (typeof CORRECTION_STATUSES)[number];

/** A process that does not exist yet. */
export type NoProcess = 'none';

interface Transition {
  readonly from: readonly (ImportProcessStatus | NoProcess)[];
  readonly to: ImportProcessStatus;
}

/**
 * The allowed actions of a process with their source and target states. `stage` stores an account that waits for
 * `submit`, the request to process it (v1); {@link canStage} and {@link canSubmit} add conditions.
 *
 * The first run of a job ends a process without starting it, so its result comes from PENDING. A run that repeats another
 * starts the process before, also from IN_PROGRESS, and the attempt number rejects a late result of the earlier run.
 * `cancel` ends a dry run only if the account waits for its release. `miss-window` ends a process whose schedule window has
 * passed. `roll-back` deletes the account that the process has created, with the rollback of its submission.
 */
export const IMPORT_PROCESS_TRANSITIONS = {
  schedule: {
    from: ['none', 'PENDING', 'ERRORED', 'DRY_RUN_ERRORED', 'DRY_RUN_SUCCEEDED', 'CANCELLED'],
    to: 'PENDING',
  },
  stage: {
    from: ['none', 'PENDING', 'ERRORED', 'DRY_RUN_ERRORED', 'DRY_RUN_SUCCEEDED', 'CANCELLED'],
    to: 'PENDING',
  },
  submit: { from: ['PENDING', 'ERRORED', 'DRY_RUN_ERRORED', 'DRY_RUN_SUCCEEDED'], to: 'PENDING' },
  retry: { from: ['ERRORED', 'DRY_RUN_ERRORED', 'CANCELLED'], to: 'PENDING' },
  release: { from: ['DRY_RUN_SUCCEEDED'], to: 'PENDING' },
  cancel: { from: ['PENDING', 'DRY_RUN_SUCCEEDED'], to: 'CANCELLED' },
  'miss-window': { from: ['PENDING'], to: 'CANCELLED' },
  start: { from: ['PENDING', 'IN_PROGRESS'], to: 'IN_PROGRESS' },
  process: { from: ['PENDING', 'IN_PROGRESS'], to: 'PROCESSED' },
  error: { from: ['PENDING', 'IN_PROGRESS'], to: 'ERRORED' },
  'succeed-dry-run': { from: ['PENDING', 'IN_PROGRESS'], to: 'DRY_RUN_SUCCEEDED' },
  'error-dry-run': { from: ['PENDING', 'IN_PROGRESS'], to: 'DRY_RUN_ERRORED' },
  'roll-back': { from: ['PROCESSED'], to: 'CANCELLED' },
} as const satisfies Record<string, Transition>;
export type ImportProcessAction = keyof typeof IMPORT_PROCESS_TRANSITIONS;

/** The state after `action` from `status`, or undefined if the action is forbidden. */
export function transition(
  status: ImportProcessStatus | NoProcess,
  action: ImportProcessAction,
): ImportProcessStatus | undefined {
  const { from, to }: Transition = IMPORT_PROCESS_TRANSITIONS[action];
  return from.includes(status) ? to : undefined;
}

/** The states from which `action` is allowed, for conditional updates (`WHERE status = ANY(...)`). */
export function statusesAllowing(action: ImportProcessAction): ImportProcessStatus[] {
  const { from }: Transition = IMPORT_PROCESS_TRANSITIONS[action];
  return IMPORT_PROCESS_STATUSES.filter((status) => from.includes(status));
}

/** The states in which the queue should have a job for the process. */
export const ACTIVE_STATUSES: readonly ImportProcessStatus[] = ['PENDING', 'IN_PROGRESS'];

/**
 * How the account of a process was staged (v1): WAITING until a request to process it arrives, PROCESSING from that
 * request on. Null if the process was scheduled, so that the queue has a job for it without a request.
 */
export const STAGING_STATES = ['WAITING', 'PROCESSING'] as const;

export type StagingState = (typeof STAGING_STATES)[number];

/** The part of a process that decides about staging. */
interface Staged {
  status: ImportProcessStatus;
  staging: StagingState | null;
}

/** True if the process waits for a request to process it: no job will start it. */
export function isWaitingForRequest({ status, staging }: Staged): boolean {
  return status === 'PENDING' && staging === 'WAITING';
}

/** True if the account may be staged again: it is not imported, and its process is not queued or running. */
export function canStage(process: Staged): boolean {
  return (
    isWaitingForRequest(process) ||
    (transition(process.status, 'stage') !== undefined && !ACTIVE_STATUSES.includes(process.status))
  );
}

/** True if a request may process the account: it was staged, and its process is not queued, running or cancelled. */
export function canSubmit(process: Staged): boolean {
  if (process.staging === null || transition(process.status, 'submit') === undefined) return false;
  return process.status !== 'PENDING' || isWaitingForRequest(process);
}

export type TransferStatus = 'UNKNOWN' | 'COMPLETED' | 'IN_PROGRESS';

/** The dry run flag of the request, and whether an operator has released the process. */
export interface DryRunFlags {
  isDryRun: boolean;
  isReleased: boolean;
}

/** True if the next run ends after its dry run: the request asked for a dry run, or the process waits for its release. */
export function endsAtDryRun({ isDryRun, isReleased }: DryRunFlags, creationMode: CreationMode): boolean {
  return isDryRun || (creationMode === 'staged' && !isReleased);
}

/**
 * The v1 view of a process (contract, "States of an import in v1"): COMPLETED once an account exists, IN_PROGRESS while
 * a creation (not a dry run) is queued or running, else UNKNOWN. A staged account that waits to be processed is
 * UNKNOWN.
 */
export function transferStatus(
  process: DryRunFlags & Staged & { accountNumber: string | null },
  creationMode: CreationMode,
): TransferStatus {
  if (process.accountNumber !== null) return 'COMPLETED';
  const isActive = ACTIVE_STATUSES.includes(process.status) && !isWaitingForRequest(process);
  return isActive && !endsAtDryRun(process, creationMode) ? 'IN_PROGRESS' : 'UNKNOWN';
}
