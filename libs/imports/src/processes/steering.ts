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
 * Processes that an action skips unless the selection names their state: they were cancelled on purpose, or they wait for
 * their release, which is more likely to be wanted than their cancellation.
 */
const ONLY_IF_NAMED: Partial<Record<SteeringAction, ImportProcessStatus>> = {
  retry: 'CANCELLED',
  cancel: 'DRY_RUN_SUCCEEDED',
};

/** The states from which `action` moves the processes that an operator selects, who may have named their state. */
export function steerableStatuses(action: SteeringAction, isNamed: boolean): ImportProcessStatus[] {
  return statusesAllowing(action).filter((status) => isNamed || status !== ONLY_IF_NAMED[action]);
}

/**
 * Returns the reason why an action skipped a process with this state. Of those in `from`, dry runs are skipped by a release,
 * and by a cancel once they have succeeded.
 */
export function skipReasonOf(
  from: readonly ImportProcessStatus[],
  { status, isErased }: { status: ImportProcessStatus; isErased: boolean },
): SkipReason {
  if (!from.includes(status)) return status;
  return isErased ? 'payload_erased' : 'is_dry_run';
}

/** The states from which `action` moves processes with `is_dry_run` too: their successful dry run is their end. */
export function dryRunStatuses(action: SteeringAction): ImportProcessStatus[] {
  return statusesAllowing(action).filter((status) => status !== 'DRY_RUN_SUCCEEDED');
}
