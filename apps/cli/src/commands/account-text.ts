import type { AccountView } from '@portage/accounts';
import { sheet, table } from '../table';

/** An account as text: a sheet of its plain fields, and a table for each list of objects. */
export function formatAccount(account: AccountView): string {
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'object');
  const fields = Object.entries(account as Record<string, unknown>);
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
