import { ListedSubmissionView, SubmissionCountsView, SubmissionPlanView } from '@portage/submissions';

/** A submission in a list. */
export interface SubmissionSummaryView extends ListedSubmissionView {
  is_dry_run: boolean;
  counts: SubmissionCountsView;
  /** Whether it agreed with its control totals at its end. Null until it has ended and that was computed. */
  reconciled: boolean | null;
}

/** A submission with its rate. */
export interface SubmissionDetailView extends SubmissionSummaryView {
  /** Of a rehearsal (`is_dry_run`): what the submission would do. Null otherwise. */
  plan: SubmissionPlanView | null;
  /** The moment of all these figures. */
  counted_at: string;
  /** Accounts with warnings, of those that were imported or rehearsed. */
  accounts_with_warnings: number;
  /**
   * Accounts that come to their end: of the last ten seconds while accounts wait, the mean after the end. Null while
   * it is open and no account waits.
   */
  processed_per_second: number | null;
  estimated_end_at: string | null;
  opened_by: string;
  /** A number, or decimal text for opening balances. */
  expected: object;
}
