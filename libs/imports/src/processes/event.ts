/** The kinds of `latest_event` in the contract ("Events of an import"). */
export type LatestEvent = 'CREATED' | 'PROCESSED' | 'ERRORED';

/** The name of a latest event in the contract. */
export function publicEventName(event: LatestEvent): string {
  return `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`;
}

/**
 * The recorded events of a process, one for each stored change. ERASED and the events of its follow-ups (POST_IMPORT) do
 * not change the status.
 */
export const IMPORT_PROCESS_EVENTS = [
  'SCHEDULED',
  'STAGED',
  'SUBMITTED',
  'STARTED',
  'PROCESSED',
  'ERRORED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'RELEASED',
  'RETRIED',
  'ERASED',
  'ROLLED_BACK',
  'POST_IMPORT_COMPLETED',
  'POST_IMPORT_ERRORED',
  'CORRECTION_SCHEDULED',
  'CORRECTED',
  'CORRECTION_ERRORED',
  'CORRECTION_REHEARSED',
  'CORRECTION_REHEARSAL_ERRORED',
  'TAKEN_BACK',
] as const;
export type ImportProcessEvent = (typeof IMPORT_PROCESS_EVENTS)[number];

/** The events that suppliers see in the feed. They are stored with their place in it. */
export const FEED_PROCESS_EVENTS = [
  'PROCESSED',
  'ERRORED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'ROLLED_BACK',
  'POST_IMPORT_COMPLETED',
  'POST_IMPORT_ERRORED',
  'CORRECTED',
  'CORRECTION_ERRORED',
  'CORRECTION_REHEARSED',
  'CORRECTION_REHEARSAL_ERRORED',
  'TAKEN_BACK',
] as const satisfies readonly ImportProcessEvent[];
