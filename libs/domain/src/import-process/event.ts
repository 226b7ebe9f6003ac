/** Kinds of `latest_event` that the contract documents (section 6). */
export type LatestEvent = 'CREATED' | 'PROCESSED' | 'ERRORED';

/** The name that the contract gives a latest event. */
export function publicEventName(event: LatestEvent): string {
  return `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`;
}

/** Everything that is recorded of a process: one row for each stored change. */
export const IMPORT_PROCESS_EVENTS = [
  'SCHEDULED',
  'STARTED',
  'PROCESSED',
  'ERRORED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'RELEASED',
  'RETRIED',
] as const;
export type ImportProcessEvent = (typeof IMPORT_PROCESS_EVENTS)[number];
