import type { Statement } from '@portage/account-schema';
import type { StoredHistoricalStatement } from './historical-statement.repository';
import { storedPath } from '../documents/document-paths';

type Field = keyof StoredHistoricalStatement;

const FIELDS: readonly Field[] = [
  'bill_period_from_date',
  'bill_period_to_date',
  'issued_date',
  'number',
  'gross_amount',
  'statement_path',
];

/** The names of the fields in which two statements with one id differ. Absent fields and nulls are equal. */
export function statementDifferences(
  left: Statement | StoredHistoricalStatement,
  right: Statement | StoredHistoricalStatement,
): string[] {
  return FIELDS.filter((field) => comparable(field, left[field]) !== comparable(field, right[field]));
}

function comparable(field: Field, value: string | null | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (field === 'statement_path') return storedPath(value);
  return field === 'gross_amount' && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}
