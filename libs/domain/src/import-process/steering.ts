import type { ImportProcessEvent } from './event';
import { type ImportProcessStatus, statusesAllowing } from './status';

/** What an operator may do to a process (DESIGN 6), and the event that records it. */
export const STEERING_EVENTS = {
  release: 'RELEASED',
  cancel: 'CANCELLED',
  retry: 'RETRIED',
} as const satisfies Record<string, ImportProcessEvent>;
export type SteeringAction = keyof typeof STEERING_EVENTS;

/**
 * Why a process was passed over: the state that it was in; `is_dry_run`, because it was asked for a dry run and always
 * ends there; or `changed_meanwhile`, because somebody else was quicker.
 */
export type PassedOver = ImportProcessStatus | 'is_dry_run' | 'changed_meanwhile';

/**
 * The states that `action` moves an operator's choice of processes from. A choice that does not name CANCELLED leaves
 * cancelled processes alone: somebody meant them not to run.
 */
export function steeredFrom(action: SteeringAction, namesCancelled: boolean): ImportProcessStatus[] {
  return statusesAllowing(action).filter((status) => namesCancelled || status !== 'CANCELLED');
}

/** Why `action` does not move a process that was found so, when it did not. */
export function passedOver(
  action: SteeringAction,
  from: readonly ImportProcessStatus[],
  { status, isDryRun }: { status: ImportProcessStatus; isDryRun: boolean },
): PassedOver {
  if (!from.includes(status)) return status;
  return isDryRun && !maySteerDryRuns(action) ? 'is_dry_run' : 'changed_meanwhile';
}

/** Whether `action` is for processes posted with `is_dry_run` too: releasing one would only rehearse it again. */
export function maySteerDryRuns(action: SteeringAction): boolean {
  return action !== 'release';
}
