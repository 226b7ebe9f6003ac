import { type FieldError, PortageError } from '@portage/domain';
import type { TransactionsOptions } from '@portage/importing';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/**
 * Reads `check_previously_added` and `force_add_to_current_statement`, both true unless given (contract 4.3).
 *
 * @throws PortageError `validation_error` naming every parameter that is wrong
 */
export function transactionsQuery(query: Record<string, unknown>): TransactionsOptions {
  const errors: FieldError[] = [];
  const flag = (attr: string): boolean => {
    const given = query[attr];
    if (given === undefined) return true;
    const read = typeof given === 'string' && Object.hasOwn(FLAGS, given) ? FLAGS[given] : undefined;
    if (read === undefined)
      errors.push({ attr, code: 'invalid', detail: `${attr} must be true, false, 1 or 0, once.` });
    return read ?? true;
  };
  const options = {
    checkPreviouslyAdded: flag('check_previously_added'),
    forceAddToCurrentStatement: flag('force_add_to_current_statement'),
  };
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return options;
}
