import type { JobName } from './job-contract';

export interface Schedule {
  name: JobName<'maintenance'>;
  /** When, in UTC: minute, hour, day, month, weekday. */
  pattern: string;
}

/** What is done at certain times, whoever is there to do it. */
export const SCHEDULES: readonly Schedule[] = [
  // Hourly, because midnight comes at another time in each supplier's time zone.
  { name: 'statement-rollover', pattern: '2 * * * *' },
  { name: 'forget-finished-requests', pattern: '32 * * * *' },
  { name: 'erase-expired-payloads', pattern: '47 * * * *' },
  { name: 'count-import-processes', pattern: '* * * * *' },
];
