import { type FieldError, hasInvisibleCharacter } from '@portage/platform';
import { EVENT_TYPE_NAMES, type EventType, isEventType } from '../feed/event-type';

const MEMBERS = ['import_supplier', 'url', 'types', 'description'];
const MAX_DESCRIPTION_LENGTH = 256;

/** The types of an endpoint that names none: what submissions have come to, and what has failed. */
export const DEFAULT_WEBHOOK_TYPES: readonly EventType[] = EVENT_TYPE_NAMES.filter(
  (type) => type.includes('.submission.') || /error-v\d+$/.test(type),
);

/** The members of a new endpoint besides its supplier and its URL. */
export interface EndpointFields {
  types: readonly EventType[];
  description: string | null;
}

/** Reads the members. Undefined values have an error in `errors`. */
export function readEndpointFields(
  body: Readonly<Record<string, unknown>>,
  errors: FieldError[],
): EndpointFields {
  for (const attr of Object.keys(body))
    if (!MEMBERS.includes(attr))
      errors.push({ attr, code: 'unknown_field', detail: 'This field is not part of the contract.' });
  return {
    types: readTypes(body['types'] ?? DEFAULT_WEBHOOK_TYPES, errors),
    description: readDescription(body['description'] ?? null, errors),
  };
}

function readTypes(value: unknown, errors: FieldError[]): EventType[] {
  if (!Array.isArray(value) || value.length === 0) {
    errors.push({
      attr: 'types',
      code: 'invalid',
      detail: 'Enter a list of one or more types of events, or leave it out.',
    });
    return [];
  }
  const types = new Set<EventType>();
  for (const [index, type] of (value as unknown[]).entries())
    if (typeof type === 'string' && isEventType(type)) types.add(type);
    else {
      errors.push({
        attr: `types.${index}`,
        code: 'invalid_choice',
        detail: `Enter one of ${EVENT_TYPE_NAMES.join(', ')}.`,
      });
      // One is enough: the list has the names of all types.
      break;
    }
  return [...types];
}

function readDescription(value: unknown, errors: FieldError[]): string | null {
  if (value === null) return null;
  if (
    typeof value === 'string' &&
    Array.from(value).length <= MAX_DESCRIPTION_LENGTH &&
    !hasInvisibleCharacter(value)
  )
    return value;
  errors.push({
    attr: 'description',
    code: 'invalid',
    detail: `Enter at most ${MAX_DESCRIPTION_LENGTH} visible characters.`,
  });
  return null;
}
