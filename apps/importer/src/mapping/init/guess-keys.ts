import type { ColumnSample, FileSample } from './column-sample';
import type { Guess } from './csv-guess';
import { knownColumn } from './known-columns';

/** The column of the accounts that joins the rows of all files. */
export function guessKey({ columns, rows }: FileSample): Guess<string> {
  const isKey = ({ values }: ColumnSample) => values.length === rows && new Set(values).size === rows;
  const numbers = columns.filter(isAccountNumber);
  const byName = numbers.find(isKey) ?? numbers[0];
  if (byName !== undefined)
    return isKey(byName)
      ? { value: byName.name, reason: `by its name; all ${rows} values that were read are different` }
      : { value: byName.name, reason: 'by its name, and some rows have no value of their own' };
  const [first] = columns as readonly [ColumnSample];
  const unique = columns.find(isKey);
  return unique === undefined
    ? { value: first.name, reason: 'not known: no column has a different value in each row. Choose one' }
    : { value: unique.name, reason: `not by its name: all ${rows} values that were read are different` };
}

/** The column of another file that has the keys of the accounts. */
export function guessChildKey(child: FileSample, accounts: FileSample, key: string): Guess<string> {
  const { columns } = child;
  if (columns.some(({ name }) => name === key))
    return { value: key, reason: 'the column of the accounts with this name' };
  const byName = columns.find(isAccountNumber);
  if (byName !== undefined) return { value: byName.name, reason: 'by its name' };
  const keys = new Set(accounts.columns.find(({ name }) => name === key)?.values);
  const shared = columns.find(
    ({ values }) => values.filter((value) => keys.has(value)).length * 2 > values.length,
  );
  if (shared !== undefined)
    return { value: shared.name, reason: `most of its values are values of ${key} of the accounts` };
  const [first] = columns as readonly [ColumnSample];
  return { value: first.name, reason: 'not known: no column has keys of the accounts. Choose one' };
}

function isAccountNumber({ name }: ColumnSample): boolean {
  return knownColumn(name)?.known.field === 'external_account_number';
}
