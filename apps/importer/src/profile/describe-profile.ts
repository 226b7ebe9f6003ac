import { DOUBTS } from '../mapping/doubtful-text';
import { quoteSample } from '../mapping/quote-value';
import { type FieldSummary, MAX_VALUES } from './field-profile';

/** What is known about a field, as a label and a text each. */
export function describeField(field: FieldSummary, rows: number): [label: string, text: string][] {
  const { filled, shortest, longest, order, exceptions, doubts } = field;
  if (filled === 0) return [['filled', `none of ${rows}`]];
  const lines: [string, string][] = [
    ['filled', filled === rows ? `all ${rows}` : describeFilled(filled, rows)],
    ['different', field.isMore ? `more than ${field.distinct}` : String(field.distinct)],
    ['length', shortest === longest ? String(shortest) : `${shortest} to ${longest}`],
    ['range', `${quoteSample(field.smallest)} to ${quoteSample(field.largest)} (${order})`],
    ['values', describeValues(field)],
    ['forms', describeForms(field)],
  ];
  if (field.rareForms.length > 0) lines.push(['once', describeRareForms(field)]);
  if (exceptions !== undefined)
    lines.push([
      'other',
      `${exceptions.count} in another form, such as ${quoteSample(exceptions.text)} in row ${exceptions.row}`,
    ]);
  for (const { doubt, count, text, row } of doubts)
    lines.push(['doubt', `${quoteSample(text)} in row ${row} ${DOUBTS[doubt]} (${count} in all)`]);
  return lines;
}

/** Says what was counted up to a limit. */
export const LIMITS = `Values and forms are counted exactly up to ${MAX_VALUES} different values and 1000 forms of a field; "more than" marks fields that have more, whose most frequent values are those among the first. In forms 9 is a digit and A a run of letters.`;

function describeFilled(filled: number, rows: number): string {
  // A field of a list has several values in a row.
  return filled > rows
    ? `${filled} values in ${rows} rows`
    : `${filled} of ${rows} (${((filled / rows) * 100).toFixed(1)} %)`;
}

function describeValues({ frequent, distinct, filled, isMore }: FieldSummary): string {
  if (distinct === filled && !isMore && filled > 1)
    return `all different, such as ${quoteSample(frequent[0]?.text ?? '')}`;
  const shown = frequent.map(({ text, count }) => `${quoteSample(text)} × ${count}`).join(', ');
  return isMore ? `of the first ${distinct}: ${shown}` : shown;
}

function describeForms({ frequentForms, forms, hasMoreForms }: FieldSummary): string {
  const count = hasMoreForms ? `more than ${forms}` : String(forms);
  const shown = frequentForms.map(({ text, count }) => `${quoteSample(text)} × ${count}`).join(', ');
  return shown === '' ? count : `${count}: ${shown}`;
}

function describeRareForms({ rareForms, otherRareForms }: FieldSummary): string {
  const shown = rareForms.map(({ text, row }) => `${quoteSample(text)} in row ${row}`).join(', ');
  return otherRareForms > 0 ? `${shown}, and ${otherRareForms} more` : shown;
}
