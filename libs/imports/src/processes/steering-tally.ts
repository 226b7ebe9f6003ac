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
  /** True once all selected processes have been considered; false after a stop before that. */
  isComplete: boolean;
}

/** True if the process was moved by the command. */
export function isSteered({ version }: SteeredProcess): boolean {
  return version !== null;
}

/** The counts of `tally` with one more batch of considered processes. */
export function addToTally(
  { steered, skipped }: SteeringTally,
  { action, from }: Steering,
  batch: readonly SteeredProcess[],
): Pick<SteeringTally, 'steered' | 'skipped'> {
  const counts = { ...skipped };
  for (const process of batch.filter((considered) => !isSteered(considered))) {
    const reason = skipReasonOf(action, from, process);
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return { steered: steered + batch.filter(isSteered).length, skipped: counts };
}

/** The audit entry with the counts of `tally` among its details. */
export function addTallyToEntry(
  entry: AuditEntry,
  { steered, skipped, isComplete }: Pick<SteeringTally, 'steered' | 'skipped' | 'isComplete'>,
): AuditEntry {
  return { ...entry, details: { ...entry.details, steered, skipped, is_complete: isComplete } };
}
