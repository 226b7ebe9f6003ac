import { type ErrorCode, parseUtcDatetime } from '@portage/platform';

/** The time in which a creation may start. `start` is null if it may start at once. */
export interface ScheduleWindow {
  start: Date | null;
  end: Date;
}

const DAY_MS = 86_400_000;

/** Maximum number of days until a schedule window begins. A later start is a mistake, such as a wrong century. */
export const MAX_START_DAYS = 90;

/**
 * Parses the schedule window of a request: the start delays the process, and the end cancels a process that has not
 * started. The start may be at most {@link MAX_START_DAYS} after now, and an explicit end at most `maxDays`. The default end is `maxDays` after the start.
 *
 * @param parse reads a datetime; undefined if it is not valid
 * @returns the window, or the code and field of the first violated rule
 */
export function parseScheduleWindow(
  params: { schedule_window_start?: unknown; schedule_window_end?: unknown },
  now: Date,
  maxDays: number,
  parse: (value: unknown) => Date | undefined = parseUtcDatetime,
): ScheduleWindow | { code: ErrorCode; field: string; detail: string } {
  const read = (field: keyof typeof params) => {
    const value = params[field];
    return value === undefined || value === null || value === '' ? null : (parse(value) ?? field);
  };
  const start = read('schedule_window_start');
  const end = read('schedule_window_end');
  for (const field of [start, end])
    if (typeof field === 'string')
      return {
        code: 'import_process_failed_validation',
        field,
        detail: `task_params.${field} must be a datetime such as 2026-01-31T09:00:00Z.`,
      };
  const [opens, closes] = [start as Date | null, end as Date | null];
  if (opens && opens < now)
    return {
      code: 'schedule_window_start_in_past',
      field: 'schedule_window_start',
      detail: 'task_params.schedule_window_start is in the past. Omit it to start at once.',
    };
  if (opens && opens.getTime() > now.getTime() + MAX_START_DAYS * DAY_MS)
    return {
      code: 'schedule_window_start_too_far_in_future',
      field: 'schedule_window_start',
      detail: `task_params.schedule_window_start may be at most ${MAX_START_DAYS} days ahead.`,
    };
  if (closes && closes.getTime() > now.getTime() + maxDays * DAY_MS)
    return {
      code: 'schedule_window_end_too_far_in_future',
      field: 'schedule_window_end',
      detail: `task_params.schedule_window_end may be at most ${maxDays} days ahead.`,
    };
  const window = { start: opens, end: closes ?? new Date((opens ?? now).getTime() + maxDays * DAY_MS) };
  if ((opens ?? now) >= window.end)
    return {
      code: 'schedule_window_start__after_end',
      field: 'schedule_window_start',
      detail: 'The schedule window ends before it starts.',
    };
  return window;
}
