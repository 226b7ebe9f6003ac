import type { ImportProcessEvent } from './event';
import { type ImportProcessStatus, statusesAllowing } from './status';

/** The operator's actions on a process, with the event that records each. */
export const STEERING_EVENTS = {
  release: 'RELEASED',
  cancel: 'CANCELLED',
  retry: 'RETRIED',
} as const satisfies Record<string, ImportProcessEvent>;
export type SteeringAction = keyof typeof STEERING_EVENTS;

/**
 * Why an action skipped a process: its state; `is_dry_run`, because the request asked for a dry run only; or
 * `payload_erased`, because its account was erased.
 */
export type SkipReason = ImportProcessStatus | 'is_dry_run' | 'payload_erased';

/**
 * The states from which `action` moves the processes that an operator selects. Cancelled processes are skipped unless
 * the selection names them, because they were cancelled on purpose.
 */
export function steerableStatuses(action: SteeringAction, namesCancelled: boolean): ImportProcessStatus[] {
  return statusesAllowing(action).filter((status) => namesCancelled || status !== 'CANCELLED');
}

/** Returns the reason why an action skipped a process with this state. Of dry runs only a release skips those in `from`. */
export function skipReasonOf(
  from: readonly ImportProcessStatus[],
  { status, isErased }: { status: ImportProcessStatus; isErased: boolean },
): SkipReason {
  if (!from.includes(status)) return status;
  return isErased ? 'payload_erased' : 'is_dry_run';
}

/** True if `action` applies to processes with `is_dry_run` too. A release does not: it would repeat the dry run. */
export function includesDryRuns(action: SteeringAction): boolean {
  return action !== 'release';
}
