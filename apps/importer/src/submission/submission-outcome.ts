import { type Reconciliation, type Submission } from '@portage/client';

/** The outcome of a submission, as written by --report. */
export interface SubmissionOutcome {
  id: string;
  import_supplier: string;
  reference: string;
  status: Submission['status'];
  counts: Submission['counts'];
  /** Expected against received against imported; null if the run ended before the submission was complete. */
  reconciliation: Reconciliation | null;
}

/** True for a submission whose accounts had a dry run because the operator is to release them: none is imported yet. */
export function isStagedOnly({ counts, reconciliation }: SubmissionOutcome): boolean {
  return (
    reconciliation !== null &&
    !reconciliation.is_dry_run &&
    reconciliation.dry_run_succeeded > 0 &&
    counts.processed === 0
  );
}

/** What is wrong with the sums of a submission, for people; empty if nothing is, or nothing is known yet. */
export function findDifferences(outcome: SubmissionOutcome): string[] {
  const { reconciliation } = outcome;
  if (reconciliation === null || reconciliation.reconciled) return [];
  if (isStagedOnly(outcome))
    return reconciliation.measures
      .filter(({ expected, received }) => expected !== null && String(expected) !== String(received))
      .map(({ measure, expected, received }) => `${measure}: ${expected} expected, ${received} received`);
  const differing = reconciliation.measures
    .filter(({ difference }) => Number(difference) !== 0)
    .map(({ measure, difference }) => `${measure} differ by ${difference}`);
  if (differing.length > 0) return differing;
  return [
    reconciliation.unfinished > 0
      ? `${reconciliation.unfinished} accounts have not come to their end`
      : 'what is imported is not what was received',
  ];
}
