import { reconciliationTable } from './submission-table';
import type { SubmissionOutcome } from './submission-outcome';

/** A reconciliation of ten accounts, of which some were corrected since. */
function tableOf(correctedSince: number): string {
  const accounts = {
    expected: 10,
    received: 10,
    imported: 10 - correctedSince,
    corrected_since: correctedSince,
  };
  const none = { would_be_imported: 0, refused_or_errored: 0, erased: 0, difference: 0 };
  const reconciliation = {
    measures: [{ measure: 'accounts', ...accounts, ...none }],
    ...{ created: 0, corrected: 0, unchanged: 10 - correctedSince, corrected_since: correctedSince },
    ...{ taken_back: 0, is_dry_run: false, reconciled: true },
  };
  const outcome = { id: 'S', reference: 'book', status: 'FINISHED', reconciliation };
  return reconciliationTable(outcome as unknown as SubmissionOutcome);
}

it('says that a book which was sent before is not what is imported now', () => {
  expect(tableOf(0)).toMatch(/10 unchanged\. Reconciled\.\n$/);
  expect(tableOf(2)).toMatch(
    /Reconciled\. 2 accounts were corrected since, and are not as this submission has sent them\.\n$/,
  );
});
