import Table from 'cli-table3';
import { type CountByCode, type Summary } from './tally';

/** The summary for people; lines that would say nothing but 0 are left out where 0 is the rule. */
export function summaryTable(summary: Summary): string {
  const table = new Table({ colAligns: ['left', 'right'], style: { compact: true, border: [] } });
  table.push(['accepted', summary.accepted], ['already imported', summary.already_imported]);
  pushByCode(table, 'refused', summary.refused);
  table.push(['processed', summary.processed]);
  if (summary.dry_run_succeeded > 0) table.push(['dry run succeeded', summary.dry_run_succeeded]);
  pushByCode(table, 'errored', summary.errored);
  if (summary.unreachable > 0) table.push(['no answer', summary.unreachable]);
  table.push(['still waiting', summary.unfinished]);
  table.push(['seconds', summary.seconds], ['accounts a second', summary.accounts_per_second]);
  return table.toString();
}

function pushByCode(table: Table.Table, heading: string, counts: CountByCode): void {
  const entries = Object.entries(counts);
  table.push([heading, entries.reduce((sum, [, count]) => sum + count, 0)]);
  for (const [code, count] of entries) table.push([`  ${code}`, count]);
}
