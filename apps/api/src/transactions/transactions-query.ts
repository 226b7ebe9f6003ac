import { type FieldError, PortageError } from '@portage/domain';
import type { TransactionsOptions } from '@portage/importing';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/**
 * Parses `check_previously_added` and `force_add_to_current_statement`, both true by default (contract 4.3).
 *
 * @throws PortageError `validation_error` with an error for each invalid parameter
 */
export function parseTransactionsQuery(query: Record<string, unknown>): TransactionsOptions {
  const errors: FieldError[] = [];
  const parseFlag = (attr: string): boolean => {
    const value = query[attr];
    if (value === undefined) return true;
    const flag = typeof value === 'string' && Object.hasOwn(FLAGS, value) ? FLAGS[value] : undefined;
    if (flag === undefined)
      errors.push({ attr, code: 'invalid', detail: `${attr} must be true, false, 1 or 0, once.` });
    return flag ?? true;
  };
  const options = {
    checkPreviouslyAdded: parseFlag('check_previously_added'),
    forceAddToCurrentStatement: parseFlag('force_add_to_current_statement'),
  };
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return options;
}
