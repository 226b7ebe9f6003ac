import { LINE_OUTCOMES, type LineOutcome } from '@portage/domain';
import { ChoicesField, IntegerField, SupplierField, TextField } from '../http/fields';

/** Rows of the longest page. */
const MAX_PAGE_ROWS = 1_000;

/** The query of the list of submissions. */
export class SubmissionsQuery {
  @SupplierField()
  supplier: string;

  @IntegerField({
    min: 1,
    max: MAX_PAGE_ROWS,
    default: 100,
    description: 'Rows of a page',
    detail: `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}.`,
  })
  limit: number;

  @TextField({
    max: Infinity,
    description: 'The id of the last row of the previous page',
    detail: 'after must be one id of a submission.',
  })
  after?: string;
}

/** The query of the results of a submission. */
export class ResultsQuery {
  @ChoicesField(LINE_OUTCOMES, {
    description:
      'Only accounts with this outcome. May be repeated or have commas. By default all are listed.',
  })
  outcome?: LineOutcome[];
}
