import type { JobName } from './job-contract';

/** A job of the queue `maintenance` that is added at fixed times. */
export interface Schedule {
  name: JobName<'maintenance'>;
  /** Cron pattern in UTC: minute, hour, day, month, weekday. */
  pattern: string;
}

/** The maintenance jobs and their due times. */
export const SCHEDULES: readonly Schedule[] = [
  // Hourly, because the time of midnight depends on the supplier's time zone.
  { name: 'statement-rollover', pattern: '2 * * * *' },
  { name: 'forget-finished-requests', pattern: '32 * * * *' },
  { name: 'erase-expired-payloads', pattern: '47 * * * *' },
  { name: 'erase-webhook-attempts', pattern: '17 * * * *' },
  { name: 'count-import-processes', pattern: '* * * * *' },
  { name: 'finish-submissions', pattern: '* * * * *' },
  { name: 'remove-completed-jobs', pattern: '* * * * *' },
];
