import Table from 'cli-table3';
import { escapeForTerminal } from '@portage/text';
import { type CountByCode, total } from './counts';
import type { AdditionCounts, Summary } from './summary';

/** The summary of the book as a table. Counts that are usually 0 are omitted if they are 0. */
export function summaryTable(summary: Summary): string {
  const table = new Table({ colAligns: ['left', 'right'], style: { compact: true, border: [] } });
  table.push(['accepted', summary.accepted], ['already imported', summary.already_imported]);
  addRowUnlessZero(table, 'accepted in an earlier run', summary.accepted_before);
  addRowUnlessZero(table, 'equal lines', summary.repeated);
  addRowUnlessZero(table, 'replaced by later lines', summary.superseded);
  addRowUnlessZero(table, 'conflicting lines', summary.conflicting);
  addRowsByCode(table, 'refused', summary.refused);
  table.push(['processed', summary.processed]);
  addRowUnlessZero(table, 'corrected', summary.corrected);
  addRowUnlessZero(table, 'unchanged', summary.unchanged);
  addRowUnlessZero(table, 'dry run succeeded', summary.dry_run_succeeded);
  addRowUnlessZero(table, 'would be corrected', summary.would_correct);
  addRowsByCode(table, 'errored', summary.errored);
  table.push(['still waiting', summary.unfinished]);
  const ignored = Object.entries(summary.ignored_fields);
  if (ignored.length > 0) table.push(['ignored values', total(summary.ignored_fields)]);
  for (const [path, count] of ignored.slice(0, MAX_IGNORED_ROWS))
    table.push([`  ${escapeForTerminal(path)}`, count]);
  if (ignored.length > MAX_IGNORED_ROWS)
    table.push([`  ${ignored.length - MAX_IGNORED_ROWS} more fields, listed by --report`, '']);
  table.push(
    ['seconds', summary.seconds],
    [`${summary.additions ? 'lines' : 'accounts'} a second`, summary.accounts_per_second],
  );
  return [table.toString(), ...(summary.additions ? [additionsTable(summary.additions)] : [])].join('\n');
}

/** The report lists all ignored fields. */
const MAX_IGNORED_ROWS = 20;

function addRowUnlessZero(table: Table.Table, heading: string, count: number): void {
  if (count > 0) table.push([heading, count]);
}

function addRowsByCode(table: Table.Table, heading: string, counts: CountByCode): void {
  table.push([heading, total(counts)]);
  for (const [code, count] of Object.entries(counts)) table.push([`  ${escapeForTerminal(code)}`, count]);
}

/** What was added: one row for each kind, followed by the lines that have added nothing, by code. */
function additionsTable(additions: Record<string, AdditionCounts>): string {
  const right = Array<'right'>(6).fill('right');
  const table = new Table({ colAligns: ['left', ...right], style: { compact: true, border: [] } });
  table.push(['additions', 'lines', 'added', 'moved', 'existing', 'different', 'failed']);
  for (const [kind, { lines, added, moved, existing, different, failed }] of Object.entries(additions)) {
    table.push([kind.replaceAll('_', ' '), lines, added, moved, existing, different, total(failed)]);
    for (const [code, count] of Object.entries(failed))
      table.push([`  ${escapeForTerminal(code)}`, '', '', '', '', '', count]);
  }
  return table.toString();
}
