import Table from 'cli-table3';
import { escapeForTerminal } from '@portage/text';
import type { SubmissionOutcome } from './submission-outcome';

/** The reconciliation of a submission as a table. */
export function reconciliationTable(outcome: SubmissionOutcome): string {
  const { id, reference, status, reconciliation } = outcome;
  const title = `submission ${id}  ${escapeForTerminal(reference)}  ${status}`;
  if (reconciliation === null) return `${title}\n`;
  const { measures, created, corrected, unchanged, corrected_since, taken_back: takenBack } = reconciliation;
  const hasErased = measures.some(({ erased }) => Number(erased) !== 0);
  const hasCorrectedSince = measures.some((one) => Number(one.corrected_since) !== 0);
  const columns = [
    'expected',
    'received',
    'imported',
    ...(reconciliation.is_dry_run ? ['would be imported'] : []),
    'refused or errored',
    ...(hasErased ? ['erased'] : []),
    ...(hasCorrectedSince ? ['corrected since'] : []),
  ];
  const right = Array<'right'>(columns.length + 1).fill('right');
  const table = new Table({ colAligns: ['left', ...right], style: { compact: true, border: [], head: [] } });
  table.push(['reconciliation', ...columns, 'difference']);
  for (const row of measures) {
    const unit = row.unit === 'minor' ? ' in minor units' : '';
    const missing = row.missing ? ` (${row.missing} not in the store yet)` : '';
    const name = `${row.measure}${row.currency === undefined ? '' : ` ${row.currency}${unit}`}${missing}`;
    const values = [
      row.expected ?? '',
      row.received,
      row.imported,
      ...(reconciliation.is_dry_run ? [row.would_be_imported] : []),
      row.refused_or_errored,
    ];
    table.push([
      escapeForTerminal(name.replaceAll('_', ' ')),
      ...values,
      ...(hasErased ? [row.erased] : []),
      ...(hasCorrectedSince ? [row.corrected_since] : []),
      row.difference,
    ]);
  }
  const verdict =
    status === 'AWAITING_RELEASE'
      ? `Dry run only: ${reconciliation.dry_run_succeeded} accounts, which wait for the operator to release them.`
      : reconciliation.reconciled
        ? 'Reconciled.'
        : 'NOT RECONCILED.';
  const rehearsed = reconciliation.is_dry_run
    ? `A rehearsal: nothing was imported. ${reconciliation.dry_run_succeeded} ${measures.some(({ measure }) => measure === 'lines') ? 'lines' : 'accounts'} would be. `
    : '';
  const isDelta = corrected + unchanged + takenBack > 0;
  const accounts = isDelta
    ? `${created} created, ${corrected} corrected, ${unchanged} unchanged${takenBack > 0 ? `, ${takenBack} taken back` : ''}. `
    : '';
  const since =
    corrected_since > 0
      ? ` ${corrected_since} accounts were corrected since, and are not as this submission has sent them.`
      : '';
  return `${title}\n${table.toString()}\n${accounts}${rehearsed}${verdict}${since}\n`;
}
