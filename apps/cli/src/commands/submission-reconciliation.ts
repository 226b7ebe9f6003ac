import { PortageError } from '@portage/platform';
import { ReconcileSubmission, type SubmissionReconciliation } from '@portage/submissions';
import { withApplication } from '../command';
import { print } from '../standard-output';
import { sheet, table } from '../table';
import { refuseUnknown } from './submission-errors';

/** `submission reconcile`. The status is 1 unless the submission is reconciled, for scripts. */
export async function reconcileSubmission(id: string, { json }: { json?: true }): Promise<void> {
  const reconciliation = await withApplication(async (app) =>
    refuseUnknown(id, app.get(ReconcileSubmission).reconcile(id)),
  );
  const text = json ? JSON.stringify(reconciliation, undefined, 2) : formatReconciliation(reconciliation);
  await print(`${text}\n`);
  if (!reconciliation.reconciled)
    throw new PortageError('operation_refused', `The submission ${id} is not reconciled.`);
}

function nameOf({
  measure,
  currency,
  unit,
  missing = 0,
}: SubmissionReconciliation['measures'][number]): string {
  if (currency !== undefined) return `${measure} (${currency}${unit === 'minor' ? ', minor units' : ''})`;
  return missing > 0 ? `${measure} (${missing} not in the store yet)` : measure;
}

function formatReconciliation(reconciliation: SubmissionReconciliation): string {
  const { import_supplier, reference, unfinished, reconciled, measures } = reconciliation;
  const { is_dry_run: isRehearsal, dry_run_succeeded: dryRuns } = reconciliation;
  const summary = sheet({
    submission: `${reference} (${import_supplier})`,
    ...(isRehearsal && { rehearsal: 'nothing is imported; compared by what would be' }),
    reconciled,
    ...(unfinished > 0 && { 'accounts that have not ended': unfinished }),
    ...(dryRuns > 0 && { 'accounts that had a dry run only': dryRuns }),
  });
  const head = [
    'measure',
    'expected',
    'received',
    'refused or errored',
    'imported',
    ...(isRehearsal ? ['would be imported'] : []),
    'erased',
    'difference',
  ];
  const rows = measures.map((one) => [
    nameOf(one),
    one.expected ?? '-',
    one.received,
    one.refused_or_errored,
    one.imported,
    ...(isRehearsal ? [one.would_be_imported] : []),
    one.erased,
    one.difference,
  ]);
  return `${summary}\n${table(head, rows, '')}`;
}
