import { type AccountView, INSPECTED_ROWS } from '@portage/accounts';
import { sheet, table } from '../table';

/**
 * An account as text: a sheet of its plain fields, a table for each list of objects, and how many rows the lists have of
 * which a page is shown.
 */
export function formatAccount(account: AccountView): string {
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'object');
  const { totals, page, ...shown } = account;
  const fields = Object.entries(shown as Record<string, unknown>);
  const plain = fields.filter(([, value]) => !isList(value) && !isEmpty(value));
  const parts = [sheet(Object.fromEntries(plain))];
  for (const { statement_periods, ...ledger } of account.ledgers) {
    parts.push(`ledger\n${sheet(ledger)}`);
    for (const { transactions, ...period } of statement_periods)
      parts.push(
        `statement period\n${sheet(period)}`,
        ...(transactions.length > 0 ? [formatRows(transactions)] : []),
      );
  }
  for (const [name, value] of fields)
    if (name !== 'ledgers' && isList(value)) parts.push(`${name.replaceAll('_', ' ')}\n${formatRows(value)}`);
  for (const [name, total] of Object.entries(totals)) {
    const left = total - page * INSPECTED_ROWS;
    if (total > INSPECTED_ROWS)
      parts.push(
        `${name.replaceAll('_', ' ')}: ${total} in all, on pages of ${INSPECTED_ROWS}. ${left > 0 ? `Older ones: --page ${page + 1}` : 'There are no older ones.'}`,
      );
  }
  return parts.join('\n\n');
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** A table with a column for each field that a row has. Nested values are JSON. */
function formatRows(all: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))].filter((column) =>
    all.some((row) => row[column] !== undefined && !isEmpty(row[column])),
  );
  const cell = (value: unknown) =>
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return table(
    columns,
    all.map((row) => columns.map((column) => cell(row[column]))),
    '',
  );
}
