import { EVENT_TYPE_NAMES, type EventType, isEventType } from '@portage/events';
import { Field, IntegerField, LimitField, splitNames, SupplierField, TextField } from '../http/fields';

/** Events of the longest answer. */
export const MAX_EVENTS = 5_000;

/** The longest wait for events, in seconds. It is below the timeouts of common proxies. */
export const MAX_WAIT_SECONDS = 20;

/** The query of a reader of events. */
export class EventsQuery {
  @SupplierField()
  supplier: string;

  @TextField({
    max: Infinity,
    description:
      'The value of `next` from an earlier answer, unchanged; `now` for what happens from here on. From the beginning without it.',
    detail: 'after must be now, or the value of next from an earlier answer.',
  })
  after?: string;

  @Field(
    { code: 'invalid_choice', detail: describeUnknownType, parse: parseTypes },
    { type: 'string', enum: [...EVENT_TYPE_NAMES], isArray: true },
    { description: 'Only events of these types. May be repeated or have commas. By default all.' },
  )
  types?: EventType[];

  @LimitField(MAX_EVENTS, { default: 1_000, description: 'The most events of an answer' })
  limit: number;

  @IntegerField({
    min: 0,
    max: MAX_WAIT_SECONDS,
    default: 0,
    description:
      'Seconds to wait if there is nothing. The answer is sent with the first events, or without any when the time is over or the instance stops.',
    detail: `wait must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`,
  })
  wait: number;
}

function typeNames(value: unknown): string[] {
  return [...new Set(splitNames(value).map((name) => name.trim()))];
}

function parseTypes(value: unknown): EventType[] | undefined {
  const names = typeNames(value);
  return names.every(isEventType) ? names : undefined;
}

function describeUnknownType(value: unknown): string {
  const [unknown = ''] = typeNames(value).filter((name) => !isEventType(name));
  return `${describeName(unknown)} is no type of event. types must be one or more of ${EVENT_TYPE_NAMES.join(', ')}.`;
}

/** The name for an error, without what would make the answer long. */
function describeName(name: string): string {
  if (name === '') return 'An empty text';
  return name.length > 100 ? `${name.slice(0, 100)}...` : name;
}
