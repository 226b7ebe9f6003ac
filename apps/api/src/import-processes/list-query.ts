import { type FieldError, PortageError } from '@portage/domain';

export interface ListQuery {
  limit: number | undefined;
  after: string | undefined;
}

/**
 * Reads `limit` and `after` of a list endpoint (DESIGN 1).
 *
 * @throws PortageError `validation_error` naming every parameter that is wrong
 */
export function listQuery(query: Record<string, unknown>, mostRows: number): ListQuery {
  const errors: FieldError[] = [];
  const { limit, after } = query;
  const isLimit =
    typeof limit === 'string' && /^\d{1,9}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= mostRows;
  if (limit !== undefined && !isLimit)
    errors.push({
      attr: 'limit',
      code: 'invalid',
      detail: `limit must be a whole number from 1 to ${mostRows}.`,
    });
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    errors.push({ attr: 'after', code: 'invalid', detail: 'after must be one external_account_number.' });
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return { limit: isLimit ? Number(limit) : undefined, after: after as string | undefined };
}
