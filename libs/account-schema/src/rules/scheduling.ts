import type { Facts } from './engine/facts';
import type { TaskParams } from '../contract/requests';
import { rule, type Rule } from './engine/rule';
import { formatMoment } from './terms/calendar';
import { isGiven } from './terms/is-given';

/** Rules about the time window in which an account may be imported. */
export const SCHEDULING_RULES: readonly Rule[] = [
  rule({
    code: 'schedule_window_start_in_past',
    on: 'taskParams',
    field: 'schedule_window_start',
    needs: ['clock'],
    reason: 'The schedule window must not start in the past.',
    breach: ({ schedule_window_start: start }, { now }) =>
      isGiven(start) && start < now && `${start} is in the past.`,
  }),
  rule({
    code: 'schedule_window_end_too_far_in_future',
    on: 'taskParams',
    field: 'schedule_window_end',
    needs: ['clock'],
    reason: 'The longer the import is delayed, the less a validation result can be relied on.',
    breach: ({ schedule_window_end: end }, { now }) =>
      isGiven(end) && end > latestWindowEnd(now) && `Enter a moment no later than ${latestWindowEnd(now)}.`,
  }),
  rule({
    code: 'schedule_window_start__after_end',
    on: 'taskParams',
    field: 'schedule_window_start',
    needs: ['clock'],
    reason: 'The schedule window must not be empty.',
    breach: (params, facts) => {
      const [start, end] = windowOf(params, facts);
      return start >= end && `The window from ${start} to ${end} is empty.`;
    },
  }),
];

/** The window with its defaults: from now until four days from now. */
function windowOf(
  { schedule_window_start, schedule_window_end }: TaskParams,
  { now }: Facts,
): [string, string] {
  const start = isGiven(schedule_window_start) ? schedule_window_start : now;
  return [start, isGiven(schedule_window_end) ? schedule_window_end : latestWindowEnd(start)];
}

const MAX_WINDOW_MS = 4 * 24 * 60 * 60 * 1_000;

function latestWindowEnd(moment: string): string {
  return formatMoment(new Date(Date.parse(moment) + MAX_WINDOW_MS));
}
