import Table from 'cli-table3';
import { type AfterImportSummary } from '../after-import/after-import-tally';
import { escapeForTerminal } from '../terminal';
import { type CountByCode } from './counts';
import { type Summary } from './tally';

/** The summary of the book as a table. Counts that are usually 0 are omitted if they are 0. */
export function summaryTable(summary: Summary): string {
  const table = new Table({ colAligns: ['left', 'right'], style: { compact: true, border: [] } });
  table.push(['accepted', summary.accepted], ['already imported', summary.already_imported]);
  addRowsByCode(table, 'refused', summary.refused);
  table.push(['processed', summary.processed]);
  if (summary.dry_run_succeeded > 0) table.push(['dry run succeeded', summary.dry_run_succeeded]);
  addRowsByCode(table, 'errored', summary.errored);
  if (summary.unreachable > 0) table.push(['no answer', summary.unreachable]);
  table.push(['still waiting', summary.unfinished]);
  table.push(['seconds', summary.seconds], ['accounts a second', summary.accounts_per_second]);
  return table.toString();
}

function addRowsByCode(table: Table.Table, heading: string, counts: CountByCode): void {
  table.push([heading, total(counts)]);
  for (const [code, count] of Object.entries(counts)) table.push([`  ${escapeForTerminal(code)}`, count]);
}

/** The summary of after-import requests as a table: one row per endpoint, followed by its refusals by code. */
export function afterImportTable(summary: AfterImportSummary): string {
  const right = Array<'right'>(5).fill('right');
  const table = new Table({ colAligns: ['left', ...right], style: { compact: true, border: [] } });
  table.push(['after the import', 'requests', 'added', 'already there', 'refused', 'failed']);
  for (const [endpoint, { requests, added, already_there, refused, failed }] of Object.entries(summary)) {
    table.push([endpoint, requests, added, already_there, total(refused), failed]);
    for (const [code, count] of Object.entries(refused))
      table.push([`  ${escapeForTerminal(code)}`, '', '', '', count, '']);
  }
  return table.toString();
}

/** The sum of the counts. */
export function total(counts: CountByCode): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
