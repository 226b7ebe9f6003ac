import { type Facts } from './engine/facts';
import { type TaskParams } from '../account/task-params';
import { rule, type Rule } from './engine/rule';
import { momentText } from './terms/calendar';
import { given } from './terms/given';

/** When an account may be created. */
export const SCHEDULING_RULES: readonly Rule[] = [
  rule({
    code: 'schedule_window_start_in_past',
    path: 'schedule_window_start',
    needs: ['clock'],
    why: 'Nothing can be started in the past.',
    checks: {
      taskParams({ schedule_window_start: start }, { now }, report) {
        if (given(start) && start < now) report('schedule_window_start', `${start} is past.`);
      },
    },
  }),
  rule({
    code: 'schedule_window_end_too_far_in_future',
    path: 'schedule_window_end',
    needs: ['clock'],
    why: 'An account checked today may not hold for long.',
    checks: {
      taskParams({ schedule_window_end: end }, { now }, report) {
        if (given(end) && end > fourDaysAfter(now))
          report('schedule_window_end', `Enter a moment no later than ${fourDaysAfter(now)}.`);
      },
    },
  }),
  rule({
    code: 'schedule_window_start__after_end',
    path: 'schedule_window_start',
    needs: ['clock'],
    why: 'A window without any time in it lets nothing through.',
    checks: {
      taskParams(params, facts, report) {
        const [start, end] = windowOf(params, facts);
        if (start >= end)
          report('schedule_window_start', `The window from ${start} to ${end} has no time in it.`);
      },
    },
  }),
];

/** The window with its defaults: from now on, and for four days. */
function windowOf(
  { schedule_window_start, schedule_window_end }: TaskParams,
  { now }: Facts,
): [string, string] {
  const start = given(schedule_window_start) ? schedule_window_start : now;
  return [start, given(schedule_window_end) ? schedule_window_end : fourDaysAfter(start)];
}

const FOUR_DAYS = 4 * 24 * 60 * 60 * 1_000;

function fourDaysAfter(moment: string): string {
  return momentText(new Date(Date.parse(moment) + FOUR_DAYS));
}
