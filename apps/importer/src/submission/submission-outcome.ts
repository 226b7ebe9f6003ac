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

/** What is wrong with the sums of a submission, for people; empty if nothing is, or nothing is known yet. */
export function findDifferences(outcome: SubmissionOutcome): string[] {
  const { reconciliation } = outcome;
  if (reconciliation === null || reconciliation.reconciled) return [];
  if (outcome.status === 'AWAITING_RELEASE')
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
