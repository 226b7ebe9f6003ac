import { type FieldError, PortageError } from '@portage/domain';

/** The query of a list endpoint. */
export interface ListQuery {
  /** Rows of a page. Undefined: the whole list is streamed. */
  limit: number | undefined;
  /** Cursor: the external account number of the last row of the previous page. */
  after: string | undefined;
}

/** A page is held in memory, unlike a whole list, which is streamed. */
const MAX_PAGE_ROWS = 10_000;

/**
 * Parses `limit` and `after` of a list endpoint (contract 4.10).
 *
 * @throws PortageError `validation_error` with an error for each invalid parameter
 */
export function parseListQuery(query: Record<string, unknown>): ListQuery {
  const errors: FieldError[] = [];
  const { limit, after } = query;
  const isValidLimit =
    typeof limit === 'string' &&
    /^\d{1,9}$/.test(limit) &&
    Number(limit) >= 1 &&
    Number(limit) <= MAX_PAGE_ROWS;
  if (limit !== undefined && !isValidLimit)
    errors.push({
      attr: 'limit',
      code: 'invalid',
      detail: `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}.`,
    });
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    errors.push({ attr: 'after', code: 'invalid', detail: 'after must be one external_account_number.' });
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return { limit: isValidLimit ? Number(limit) : undefined, after: after as string | undefined };
}
