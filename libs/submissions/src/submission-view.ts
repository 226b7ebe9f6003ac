import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from '@portage/imports';
import type { StoredSubmission, SubmissionCounts } from './submission.repository';
import { type AccountsState, statusOf } from './submission';
import type { ListedSubmissionView, SubmissionCountsView, SubmissionPlanView } from './submissions.dto';

/** Builds the view of a list. `toMoment` writes a stored time. */
export function buildListed(
  submission: StoredSubmission,
  accounts: AccountsState,
  toMoment: (stored: string) => string,
): ListedSubmissionView {
  const { id, supplier, reference, kind, mode, createdAt, completedAt, finishedAt } = submission;
  const at = (stored: string | null) => (stored === null ? null : toMoment(stored));
  return {
    id,
    import_supplier: supplier,
    reference,
    kind,
    mode,
    status: statusOf(submission.status, accounts),
    created_at: toMoment(createdAt),
    completed_at: at(completedAt),
    // An account that was retried has made it active again, whatever was noticed before.
    finished_at: accounts.isActive || accounts.awaitsRelease ? null : at(finishedAt),
  };
}

/** Builds the counts. An account that another submission has taken over counts as cancelled. */
export function buildCounts({
  refused,
  takenOver,
  repeated,
  processes,
  unchanged,
  corrections,
}: SubmissionCounts): SubmissionCountsView {
  const states = Object.fromEntries(
    IMPORT_PROCESS_STATUSES.map((status) => [
      status.toLowerCase(),
      (processes[status] ?? 0) + (status === 'CANCELLED' ? takenOver + corrections.cancelled : 0),
    ]),
  ) as Record<Lowercase<ImportProcessStatus>, number>;
  const own = {
    unchanged,
    correcting: corrections.pending,
    corrected: corrections.succeeded,
    would_correct: corrections.rehearsed,
    correction_errored: corrections.errored,
  };
  const received = Object.values({ ...states, ...own }).reduce((sum, count) => sum + count, refused);
  return { received, refused, repeated, ...own, ...states };
}

/** The counts of accounts that have come to their end. */
const ENDED = [
  'processed',
  'errored',
  'dry_run_succeeded',
  'dry_run_errored',
  'unchanged',
  'corrected',
  'would_correct',
  'correction_errored',
] as const;

/** What a rehearsal would do; null for another submission. */
export function buildPlan(isDryRun: boolean, counts: SubmissionCountsView): SubmissionPlanView | null {
  if (!isDryRun) return null;
  return {
    would_create: counts.dry_run_succeeded,
    would_correct: counts.would_correct,
    unchanged: counts.unchanged,
    refused: counts.refused + counts.dry_run_errored + counts.correction_errored,
  };
}

/** The accounts that came to their end in a second, from the opening of a submission to its end; null before its end. */
export function meanRate(
  { created_at: begin, finished_at: end }: Pick<ListedSubmissionView, 'created_at' | 'finished_at'>,
  counts: SubmissionCountsView,
): number | null {
  if (end === null) return null;
  const seconds = (Date.parse(end) - Date.parse(begin)) / 1_000;
  const ended = ENDED.reduce((sum, name) => sum + counts[name], 0);
  return seconds > 0 ? ended / seconds : null;
}

/**
 * The accounts that have yet to come to their end; undefined while their number is not known, because the submission is
 * open and its supplier has not stated it.
 */
export function remainingAccounts(
  { status, expected }: Pick<StoredSubmission, 'status' | 'expected'>,
  counts: SubmissionCountsView,
): number | undefined {
  const unfinished = counts.pending + counts.in_progress + counts.correcting;
  if (status !== 'OPEN') return unfinished;
  const lines = expected.accounts ?? expected.lines;
  if (lines === undefined) return undefined;
  return unfinished + Math.max(0, Number(lines) - counts.received);
}
