import { type FieldError, PortageError } from '@portage/domain';
import { requireBody } from '../http/json-body';

/**
 * Reads the texts of a body.
 *
 * @param required their names
 * @param optional the names of texts that may be missing or null
 * @throws PortageError `validation_error` for each other member, and for values that are no texts; `parse_error` without
 * a body
 */
export function readTexts<Name extends string, Optional extends string = never>(
  body: Record<string, unknown> | undefined,
  required: readonly Name[],
  optional: readonly Optional[] = [],
): Record<Name, string> & Partial<Record<Optional, string>> {
  const members = requireBody(body);
  const errors: FieldError[] = [];
  const known: readonly string[] = [...required, ...optional];
  for (const attr of Object.keys(members))
    if (!known.includes(attr))
      errors.push({ attr, code: 'unknown_field', detail: 'This field is not part of the contract.' });
  const texts: Record<string, string> = {};
  for (const attr of known) {
    const value = members[attr] ?? undefined;
    if (typeof value === 'string') texts[attr] = value;
    else if (value !== undefined) errors.push({ attr, code: 'invalid', detail: 'Enter a text.' });
    else if ((required as readonly string[]).includes(attr))
      errors.push({ attr, code: 'required', detail: 'This field is required.' });
  }
  if (errors.length > 0) throw new PortageError('validation_error', 'The request is not valid.', { errors });
  return texts as Record<Name, string> & Partial<Record<Optional, string>>;
}
