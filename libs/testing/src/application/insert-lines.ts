import { LINE_MEASURES } from '@portage/imports';
import { type Columns, insertInto } from '../insert-processes';

/** SQL that inserts lines of first uploads, one for each row of `from`. What they hold is 0 unless told otherwise. */
export function insertLines(from: string, columns: Columns): string {
  const measures = Object.fromEntries(LINE_MEASURES.map((measure) => [measure, '0']));
  return insertInto('submission_line', from, { upload_number: '1', ...measures, ...columns });
}
