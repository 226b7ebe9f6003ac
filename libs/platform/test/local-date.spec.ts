import fc from 'fast-check';
import { anyDay } from './days';
import { addDays, dayOfMonth, FIRST_DAY, LAST_DAY, monthOf } from '../src/values/local-date';

describe('days', () => {
  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-02-28', 1, '2023-03-01'],
    ['2024-03-01', -1, '2024-02-29'],
    ['1900-02-28', 1, '1900-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    // The clocks of London change on these days.
    ['2026-03-29', 1, '2026-03-30'],
    ['2026-10-25', 1, '2026-10-26'],
    ['0099-12-31', 1, '0100-01-01'],
    [LAST_DAY, 1, LAST_DAY],
    [FIRST_DAY, -1, FIRST_DAY],
  ])('%s plus %d days is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  it('can be added and subtracted without loss', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 40_000 }), (date, days) => {
        const later = addDays(date, days);
        fc.pre(later !== LAST_DAY);
        expect(addDays(later, -days)).toBe(date);
        expect(later >= date).toBe(true);
      }),
    );
  });

  it('days that do not exist are an error', () => {
    expect(() => addDays('2026-13-01', 1)).toThrow(RangeError);
  });
});

describe('days of a month', () => {
  it.each([
    ['2026-01', 31, '2026-01-31'],
    ['2026-02', 31, '2026-02-28'],
    ['2024-02', 30, '2024-02-29'],
    ['2000-02', 31, '2000-02-29'],
    ['2100-02', 29, '2100-02-28'],
    ['0004-02', 31, '0004-02-29'],
    ['2026-04', 31, '2026-04-30'],
    ['2026-12', 1, '2026-12-01'],
  ])('a day is never after the end of its month: %s, day %d gives %s', (month, day, expected) => {
    expect(dayOfMonth(monthOf(`${month}-01`), day)).toBe(expected);
  });

  it('cover every day of the calendar', () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        expect(dayOfMonth(monthOf(date), Number(date.slice(8)))).toBe(date);
      }),
    );
  });

  it('are limited to the calendar', () => {
    expect(dayOfMonth(11, 31)).toBe(FIRST_DAY);
    expect(dayOfMonth(10_000 * 12, 1)).toBe(LAST_DAY);
  });
});
