import type { ImportProcessEvent } from '@portage/imports';
import type { SubmissionEvent } from '@portage/submissions';

/** What the feed shows, as it is stored. */
export type FeedSourceEvent = ImportProcessEvent | SubmissionEvent;

interface EventTypeDefinition {
  /** What `data` describes. */
  readonly subject: 'account' | 'submission';
  /** The stored events that have this type. */
  readonly events: readonly FeedSourceEvent[];
  readonly summary: string;
  readonly description: string;
}

/**
 * The types of the events that suppliers follow, with the stored events that they are made from. The feed, webhooks, the
 * OpenAPI document and the AsyncAPI document derive from this constant.
 */
export const EVENT_TYPES = {
  'data_import.import_process.complete-v1': {
    subject: 'account',
    events: ['PROCESSED'],
    summary: 'An account was imported',
    description: 'The account exists on the platform: `platform_account_number` is its number.',
  },
  'data_import.import_process.error-v1': {
    subject: 'account',
    events: ['ERRORED'],
    summary: 'The import of an account has failed',
    description: '`error` says why. Nothing of the account was stored; send it again once it is corrected.',
  },
  'data_import.import_process.dry_run_complete-v1': {
    subject: 'account',
    events: ['DRY_RUN_SUCCEEDED', 'CORRECTION_REHEARSED'],
    summary: 'The dry run of an account has succeeded',
    description: 'The account could be imported, or corrected. Nothing of it was stored.',
  },
  'data_import.import_process.dry_run_error-v1': {
    subject: 'account',
    events: ['DRY_RUN_ERRORED', 'CORRECTION_REHEARSAL_ERRORED'],
    summary: 'The dry run of an account has failed',
    description: '`error` says why.',
  },
  'data_import.import_process.cancelled-v1': {
    subject: 'account',
    events: ['CANCELLED', 'ROLLED_BACK'],
    summary: 'The import of an account was cancelled',
    description:
      'It was cancelled before it began, its schedule window has passed, or its account was deleted by the rollback of its submission.',
  },
  'data_import.import_process.post_import.completed-v1': {
    subject: 'account',
    events: ['POST_IMPORT_COMPLETED'],
    summary: 'The follow-ups of an import have ended',
    description:
      'The documents that the account was sent with were found and accepted, and its welcome e-mail was handled. Accounts without documents and e-mail have no such event.',
  },
  'data_import.import_process.post_import.error-v1': {
    subject: 'account',
    events: ['POST_IMPORT_ERRORED'],
    summary: 'A follow-up of an import has failed',
    description:
      'All follow-ups have ended, and at least one has failed for good; `error` is that of the first. The account is imported.',
  },
  'data_import.import_process.corrected-v1': {
    subject: 'account',
    events: ['CORRECTED'],
    summary: 'An imported account was corrected',
    description: 'The account is as it was sent last. What was added since its import stays.',
  },
  'data_import.import_process.correction_error-v1': {
    subject: 'account',
    events: ['CORRECTION_ERRORED'],
    summary: 'The correction of an account has failed',
    description: '`error` says why. The account is as it was before.',
  },
  'data_import.import_process.taken_back-v1': {
    subject: 'account',
    events: ['TAKEN_BACK'],
    summary: 'An imported account was taken back',
    description:
      'Its supplier has taken it back: the account was deleted, and its number can be imported again.',
  },
  'data_import.submission.finished-v1': {
    subject: 'submission',
    events: ['FINISHED'],
    summary: 'A submission has finished',
    description:
      'Its last account has ended, and none waits for its release: `counts` are final and `reconciled` compares it with its control totals. A submission whose accounts are retried finishes again, with another event.',
  },
  'data_import.submission.aborted-v1': {
    subject: 'submission',
    events: ['ABORTED'],
    summary: 'A submission was aborted',
    description: 'It was aborted, and its last account has ended: `counts` are final.',
  },
} as const satisfies Record<string, EventTypeDefinition>;

/** The public name of a kind of event. */
export type EventType = keyof typeof EVENT_TYPES;

/** The names of all types, in the order in which they are documented. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

const TYPE_OF: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPE_NAMES.flatMap((type) => sourceEvents(type).map((event) => [event, type] as const)),
);

/** True if there is a type with this name. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_TYPES, name);
}

/** The stored events of a type. */
export function sourceEvents(type: EventType): readonly FeedSourceEvent[] {
  return EVENT_TYPES[type].events;
}

/** The stored events of the types that have these names. Another release may have stored other names. */
export function eventsOfTypes(names: readonly string[]): FeedSourceEvent[] {
  return names.filter(isEventType).flatMap(sourceEvents);
}

/** The type of a stored event; undefined if suppliers do not see it. */
export function eventTypeOf(event: string): EventType | undefined {
  return TYPE_OF.get(event);
}
