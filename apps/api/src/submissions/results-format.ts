import { RESULT_COLUMNS, type SubmissionResult, toResultFields } from '@portage/submissions';
import { stringify } from 'csv-stringify/sync';
import { readWeights } from '../http/compression';

/** The forms in which results are sent. */
export type ResultsFormat = 'csv' | 'ndjson';

export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

/** NDJSON, unless the header `Accept` prefers CSV: `text/csv` with a weight not below that of NDJSON (RFC 9110, 12.5.1). */
export function resultsFormatOf(accept: string | undefined): ResultsFormat {
  const weights = readWeights(accept ?? '');
  const csv = weights.get(CSV) ?? 0;
  return csv > 0 && csv >= (weights.get(NDJSON) ?? 0) ? 'csv' : 'ndjson';
}

/** One JSON object a line. An answer without results is empty. */
export async function* toNdjson(chunks: AsyncIterable<SubmissionResult[]>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield chunk.map((result) => `${JSON.stringify(result)}\n`).join('');
}

/**
 * CSV as in RFC 4180, with a header, in UTF-8. Every field is quoted, and text that a spreadsheet would take for a formula
 * gets an apostrophe before it. The errors of a line are one field, one in a line.
 */
export async function* toCsv(chunks: AsyncIterable<SubmissionResult[]>): AsyncGenerator<string> {
  yield formatCsv([[...RESULT_COLUMNS]]);
  for await (const chunk of chunks) yield formatCsv(chunk.map(toResultFields));
}

/** Rows of a CSV file: every field is quoted, and no spreadsheet takes one for a formula. */
export function formatCsv(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    quoted: true,
    quoted_empty: true,
    escape_formulas: true,
    // Some spreadsheets skip a line break before a formula.
    cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
    record_delimiter: 'windows',
  });
}
