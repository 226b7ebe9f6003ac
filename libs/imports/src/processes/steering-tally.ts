import type { AuditEntry } from '@portage/platform';
import type { SteeredProcess, Steering } from './import-process-steering.repository';
import { type SkipReason, skipReasonOf } from './steering';

/** The result of steering many processes, so far. */
export interface SteeringTally {
  steered: number;
  /** The number of skipped processes, by reason. */
  skipped: Partial<Record<SkipReason, number>>;
  /** Steered processes whose job the queue did not accept. The sweeper adds their jobs. */
  withoutJob: number;
  /** Processes that were considered. */
  considered: number;
  /** The process that was considered last; undefined once the selection is exhausted. */
  last: string | undefined;
  /** True once all processes that the call may consider have been; false after a stop before that. */
  isComplete: boolean;
}

export const EMPTY_TALLY: SteeringTally = {
  steered: 0,
  skipped: {},
  withoutJob: 0,
  considered: 0,
  last: undefined,
  isComplete: false,
};

/** True if the process was moved by the command. */
export function isSteered({ version }: SteeredProcess): boolean {
  return version !== null;
}

/**
 * `tally` with one more batch of considered processes.
 *
 * @param rows the size of the batch, which only the last one of a selection does not reach
 */
export function addToTally(
  tally: SteeringTally,
  { from }: Steering,
  batch: readonly SteeredProcess[],
  { rows, maxProcesses }: { rows: number; maxProcesses: number },
): SteeringTally {
  const skipped = { ...tally.skipped };
  for (const process of batch.filter((one) => !isSteered(one))) {
    const reason = skipReasonOf(from, process);
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  }
  const isExhausted = batch.length < rows;
  const considered = tally.considered + batch.length;
  return {
    ...tally,
    steered: tally.steered + batch.filter(isSteered).length,
    skipped,
    considered,
    last: isExhausted ? undefined : batch.at(-1)?.processId,
    isComplete: isExhausted || considered >= maxProcesses,
  };
}

/** The audit entry with the counts of `tally` among its details. */
export function addTallyToEntry(
  entry: AuditEntry,
  { steered, skipped, isComplete }: SteeringTally,
): AuditEntry {
  return { ...entry, details: { ...entry.details, steered, skipped, is_complete: isComplete } };
}
