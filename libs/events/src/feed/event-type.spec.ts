import { FEED_PROCESS_EVENTS, IMPORT_PROCESS_EVENTS } from '@portage/imports';
import { SUBMISSION_EVENTS } from '@portage/submissions';
import { EVENT_TYPE_NAMES, eventsOfTypes, eventTypeOf, isEventType } from './event-type';

/** Every stored event of a process, and whether suppliers see it. */
const TYPE_BY_EVENT: Record<(typeof IMPORT_PROCESS_EVENTS)[number], string | undefined> = {
  SCHEDULED: undefined,
  STAGED: undefined,
  SUBMITTED: undefined,
  STARTED: undefined,
  PROCESSED: 'data_import.import_process.complete-v1',
  ERRORED: 'data_import.import_process.error-v1',
  DRY_RUN_SUCCEEDED: 'data_import.import_process.dry_run_complete-v1',
  DRY_RUN_ERRORED: 'data_import.import_process.dry_run_error-v1',
  CANCELLED: 'data_import.import_process.cancelled-v1',
  RELEASED: undefined,
  RETRIED: undefined,
  ERASED: undefined,
  CORRECTION_SCHEDULED: undefined,
  CORRECTED: 'data_import.import_process.corrected-v1',
  CORRECTION_ERRORED: 'data_import.import_process.correction_error-v1',
  CORRECTION_REHEARSED: 'data_import.import_process.dry_run_complete-v1',
  CORRECTION_REHEARSAL_ERRORED: 'data_import.import_process.dry_run_error-v1',
  TAKEN_BACK: 'data_import.import_process.taken_back-v1',
  ROLLED_BACK: 'data_import.import_process.cancelled-v1',
  POST_IMPORT_COMPLETED: 'data_import.import_process.post_import.completed-v1',
  POST_IMPORT_ERRORED: 'data_import.import_process.post_import.error-v1',
};

describe('the types of events', () => {
  it.each(IMPORT_PROCESS_EVENTS)('decide whether suppliers see the stored event %s', (event) => {
    expect(eventTypeOf(event)).toBe(TYPE_BY_EVENT[event]);
    expect((FEED_PROCESS_EVENTS as readonly string[]).includes(event)).toBe(
      TYPE_BY_EVENT[event] !== undefined,
    );
  });

  it('include one for each end of a submission', () => {
    expect(SUBMISSION_EVENTS.map(eventTypeOf)).toEqual([
      'data_import.submission.finished-v1',
      'data_import.submission.aborted-v1',
    ]);
  });

  it('have the events that they show; names of other releases have none', () => {
    const names = ['data_import.import_process.cancelled-v1', 'data_import.import_process.complete-v9'];
    expect(eventsOfTypes(names)).toEqual(['CANCELLED', 'ROLLED_BACK']);
  });

  it('have names with a version, of which no other text is one', () => {
    for (const name of EVENT_TYPE_NAMES) {
      expect(name).toMatch(/^data_import\.[a-z_]+(\.[a-z_]+)+-v1$/);
      expect(isEventType(name)).toBe(true);
    }
    for (const text of ['', 'toString', 'PROCESSED', 'data_import.import_process.complete'])
      expect(isEventType(text)).toBe(false);
  });
});
