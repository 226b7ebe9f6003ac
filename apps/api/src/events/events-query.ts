import {
  EVENT_TYPE_NAMES,
  type EventType,
  type FieldError,
  isEventType,
  PortageError,
} from '@portage/domain';

/** Events of the longest answer. */
export const MAX_EVENTS = 5_000;

/** Events of an answer without `limit`. */
export const DEFAULT_EVENTS = 1_000;

/** The longest wait for events, in seconds. It is below the timeouts of common proxies. */
export const MAX_WAIT_SECONDS = 20;

/** The query of a reader of events. */
export interface EventsQuery {
  supplierCode: string;
  after: string | undefined;
  types: readonly EventType[] | undefined;
  limit: number;
  waitMs: number;
}

/**
 * Parses the query parameters of the feed. `types` may be repeated and may list values with commas.
 *
 * @throws PortageError `validation_error` with an error for each invalid parameter
 */
export function parseEventsQuery(query: Record<string, unknown>): EventsQuery {
  const { supplier, after, types, limit, wait } = query;
  const errors: FieldError[] = [];
  if (typeof supplier !== 'string' || supplier === '')
    errors.push({ attr: 'supplier', code: 'required', detail: 'supplier must be one import supplier code.' });
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    errors.push({
      attr: 'after',
      code: 'invalid',
      detail: 'after must be now, or the value of next from an earlier answer.',
    });
  const names = typeNames(types);
  const unknown = names?.filter((name) => !isEventType(name)) ?? [];
  if (unknown.length > 0)
    errors.push({
      attr: 'types',
      code: 'invalid_choice',
      detail: `${describeName(unknown[0])} is no type of event. types must be one or more of ${EVENT_TYPE_NAMES.join(', ')}.`,
    });
  const rows = wholeNumber(limit);
  if (limit !== undefined && (rows === undefined || rows < 1 || rows > MAX_EVENTS))
    errors.push({
      attr: 'limit',
      code: 'invalid',
      detail: `limit must be a whole number from 1 to ${MAX_EVENTS}.`,
    });
  const seconds = wholeNumber(wait);
  if (wait !== undefined && (seconds === undefined || seconds > MAX_WAIT_SECONDS))
    errors.push({
      attr: 'wait',
      code: 'invalid',
      detail: `wait must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`,
    });
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return {
    supplierCode: supplier as string,
    after: after as string | undefined,
    types: names?.filter(isEventType),
    limit: rows ?? DEFAULT_EVENTS,
    waitMs: (seconds ?? 0) * 1_000,
  };
}

function typeNames(types: unknown): string[] | undefined {
  if (types === undefined) return undefined;
  const names = [types].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : ['']));
  return [...new Set(names.map((name) => name.trim()))];
}

/** The name for an error, without what would make the answer long. */
function describeName(name = ''): string {
  if (name === '') return 'An empty text';
  return name.length > 100 ? `${name.slice(0, 100)}...` : name;
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
