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
 * Why an action skipped a process: its state; `is_dry_run`, because the request asked for a dry run only;
 * `payload_erased`, because its account was erased; or `changed_meanwhile`, because the process changed concurrently.
 */
export type SkipReason = ImportProcessStatus | 'is_dry_run' | 'payload_erased' | 'changed_meanwhile';

/**
 * The states from which `action` moves the processes that an operator selects. Cancelled processes are skipped unless
 * the selection names them, because they were cancelled on purpose.
 */
export function steerableStatuses(action: SteeringAction, namesCancelled: boolean): ImportProcessStatus[] {
  return statusesAllowing(action).filter((status) => namesCancelled || status !== 'CANCELLED');
}

/** Returns the reason why `action` skipped a process with this state. */
export function skipReasonOf(
  action: SteeringAction,
  from: readonly ImportProcessStatus[],
  { status, isDryRun, isErased }: { status: ImportProcessStatus; isDryRun: boolean; isErased?: boolean },
): SkipReason {
  if (!from.includes(status)) return status;
  if (isErased === true) return 'payload_erased';
  return isDryRun && !includesDryRuns(action) ? 'is_dry_run' : 'changed_meanwhile';
}

/** True if `action` applies to processes with `is_dry_run` too. A release does not: it would repeat the dry run. */
export function includesDryRuns(action: SteeringAction): boolean {
  return action !== 'release';
}
