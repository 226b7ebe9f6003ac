import {
  type FieldError,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  PortageError,
} from '@portage/domain';
import { LIST_MEMBERS, type ListMember } from '@portage/importing';

/** The query of a list endpoint. */
export interface ListQuery {
  /** Rows of a page. Undefined: the whole list is streamed. */
  limit: number | undefined;
  /** Cursor: the external account number of the last row of the previous page. */
  after: string | undefined;
  /** Only processes with one of these statuses. Undefined: all of the list. */
  statuses: readonly ImportProcessStatus[] | undefined;
  /** Members of each item besides those of the contract. */
  include: readonly ListMember[];
}

/** A page is held in memory, unlike a whole list, which is streamed. */
const MAX_PAGE_ROWS = 10_000;

/**
 * Parses `limit`, `after`, `status` (repeatable) and `include` of a list endpoint (contract 4.10).
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
  const statuses = parseChoices('status', query['status'], IMPORT_PROCESS_STATUSES, errors);
  const include = parseChoices('include', query['include'], LIST_MEMBERS, errors);
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return {
    limit: isValidLimit ? Number(limit) : undefined,
    after: after as string | undefined,
    statuses,
    include: include ?? [],
  };
}

/** The chosen values of a parameter that may be repeated and may list values with commas. Undefined if it is missing. */
function parseChoices<Choice extends string>(
  attr: string,
  value: unknown,
  choices: readonly Choice[],
  errors: FieldError[],
): readonly Choice[] | undefined {
  if (value === undefined) return undefined;
  const names = [value].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : ['']));
  const isKnown = names.every((name) => choices.some((choice) => choice === name));
  if (!isKnown)
    errors.push({
      attr,
      code: 'invalid_choice',
      detail: `${attr} must be one or more of ${choices.join(', ')}.`,
    });
  return choices.filter((choice) => names.includes(choice));
}
