import fc from 'fast-check';
import { parseScheduleWindow } from './schedule-window';

const DAY = 86_400_000;
/** A whole second, so that the boundary can be written as a datetime. */
const NOW = new Date('2026-11-21T08:40:00.000Z');
const at = (milliseconds: number) => `${new Date(NOW.getTime() + milliseconds).toISOString().slice(0, 19)}Z`;
const date = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

const window = (start?: unknown, end?: unknown, now = NOW) =>
  parseScheduleWindow({ schedule_window_start: start, schedule_window_end: end }, now, 4);

describe('a schedule window', () => {
  it.each([
    ['nothing', undefined, undefined, null, date(4 * DAY)],
    ['null and the empty text', null, '', null, date(4 * DAY)],
    ['a start', at(DAY), undefined, date(DAY), date(5 * DAY)],
    ['an end', undefined, at(DAY), null, date(DAY)],
    ['both', at(DAY), at(2 * DAY), date(DAY), date(2 * DAY)],
    ['a start now', at(0), undefined, date(0), date(4 * DAY)],
    ['an end in exactly four days', undefined, at(4 * DAY), null, date(4 * DAY)],
    ['an end a second after the start', at(DAY), at(DAY + 1_000), date(DAY), date(DAY + 1_000)],
    ['a start that is far ahead', at(10 * DAY), undefined, date(10 * DAY), date(14 * DAY)],
    ['a start in exactly 90 days', at(90 * DAY), undefined, date(90 * DAY), date(94 * DAY)],
    ['an end in a second', undefined, at(1_000), null, date(1_000)],
  ])('a window with %s has the expected start and end', (_case, start, end, opens, closes) => {
    expect(window(start, end)).toEqual({ start: opens, end: closes });
  });

  const IN_PAST = 'schedule_window_start_in_past';
  const AFTER_END = 'schedule_window_start__after_end';
  const START_TOO_FAR = 'schedule_window_start_too_far_in_future';
  const TOO_FAR = 'schedule_window_end_too_far_in_future';
  const INVALID = 'import_process_failed_validation';

  it.each([
    ['starts in the past', at(-1_000), undefined, IN_PAST, 'schedule_window_start'],
    ['starts in a hundred years', at(36_500 * DAY), undefined, START_TOO_FAR, 'schedule_window_start'],
    [
      'starts more than 90 days ahead',
      at(90 * DAY + 1_000),
      undefined,
      START_TOO_FAR,
      'schedule_window_start',
    ],
    ['ends more than four days ahead', undefined, at(4 * DAY + 1_000), TOO_FAR, 'schedule_window_end'],
    ['starts and ends more than four days ahead', at(9 * DAY), at(10 * DAY), TOO_FAR, 'schedule_window_end'],
    [
      'starts after the last day that it may end on',
      at(5 * DAY),
      at(4 * DAY),
      AFTER_END,
      'schedule_window_start',
    ],
    ['ends when it starts', at(DAY), at(DAY), AFTER_END, 'schedule_window_start'],
    ['ends before it starts', at(DAY), at(DAY - 1_000), AFTER_END, 'schedule_window_start'],
    ['ends now', undefined, at(0), AFTER_END, 'schedule_window_start'],
    ['ended long ago', undefined, at(-DAY), AFTER_END, 'schedule_window_start'],
    ['starts at no datetime', 'tomorrow', undefined, INVALID, 'schedule_window_start'],
    ['starts on a day without a time', '2026-11-22', undefined, INVALID, 'schedule_window_start'],
    ['ends on a day that does not exist', undefined, '2026-02-30T00:00:00Z', INVALID, 'schedule_window_end'],
    ['ends at a number', undefined, 0, INVALID, 'schedule_window_end'],
    ['starts at false', false, undefined, INVALID, 'schedule_window_start'],
  ])('a window that %s is refused', (_case, start, end, code, field) => {
    expect(window(start, end)).toEqual({ code, field, detail: expect.stringContaining('chedule') });
  });

  it('has boundaries that are exact to the millisecond', () => {
    const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
    expect(window(at(0), undefined, later(0))).toMatchObject({ start: NOW });
    expect(window(at(0), undefined, later(1))).toMatchObject({ code: IN_PAST });
    expect(window(undefined, at(4 * DAY), later(-1))).toMatchObject({ code: TOO_FAR });
    expect(window(undefined, at(4 * DAY), later(0))).toMatchObject({ end: date(4 * DAY) });
    expect(window(undefined, at(1_000), later(999))).toMatchObject({ end: date(1_000) });
    expect(window(undefined, at(1_000), later(1_000))).toMatchObject({ code: AFTER_END });
  });

  it('a window that is accepted starts before it ends', () => {
    const seconds = fc.option(fc.integer({ min: -5 * 86_400, max: 10 * 86_400 }), { nil: undefined });
    fc.assert(
      fc.property(seconds, seconds, (start, end) => {
        const found = window(
          start === undefined ? start : at(start * 1_000),
          end === undefined ? end : at(end * 1_000),
        );
        if ('code' in found) return;
        expect(found.end.getTime()).toBeGreaterThan((found.start ?? NOW).getTime());
        expect((found.start ?? NOW).getTime()).toBeGreaterThanOrEqual(NOW.getTime());
      }),
    );
  });
});
