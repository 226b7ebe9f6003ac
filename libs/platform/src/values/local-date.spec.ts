import fc from 'fast-check';
import { anyDay } from '../../test/days';
import { addDays, dayIn, dayOfMonth, FIRST_DAY, LAST_DAY, monthOf } from './local-date';

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

  it('that do not exist are an error', () => {
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
  ])('of %s, day %d or the last day: %s', (month, day, expected) => {
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

describe('the day in a time zone', () => {
  it.each([
    ['2026-11-21T23:59:59Z', 'UTC', '2026-11-21'],
    // Summer time begins at 01:00 and ends at 01:00 UTC.
    ['2026-03-28T23:59:59Z', 'Europe/London', '2026-03-28'],
    ['2026-03-29T00:00:00Z', 'Europe/London', '2026-03-29'],
    ['2026-03-29T22:59:59Z', 'Europe/London', '2026-03-29'],
    ['2026-03-29T23:00:00Z', 'Europe/London', '2026-03-30'],
    ['2026-10-24T22:59:59Z', 'Europe/London', '2026-10-24'],
    ['2026-10-24T23:00:00Z', 'Europe/London', '2026-10-25'],
    ['2026-10-25T23:30:00Z', 'Europe/London', '2026-10-25'],
    ['2026-12-31T09:59:59Z', 'Pacific/Kiritimati', '2026-12-31'],
    ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2027-01-01'],
    ['2026-12-31T10:59:59Z', 'Pacific/Pago_Pago', '2026-12-30'],
    // Samoa had no 30 December 2011.
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
    ['2024-02-28T18:30:00Z', 'Asia/Kolkata', '2024-02-29'],
  ])('%s in %s is %s', (instant, zone, expected) => {
    expect(dayIn(zone, new Date(instant))).toBe(expected);
  });

  it('differs from the UTC day by at most one day and never decreases', () => {
    const zones = ['Europe/London', 'Pacific/Kiritimati', 'America/St_Johns', 'Australia/Lord_Howe'];
    const instants = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
        const utc = instant.toISOString().slice(0, 10);
        const day = dayIn(zone, instant);
        expect([addDays(utc, -1), utc, addDays(utc, 1)]).toContain(day);
        expect(dayIn(zone, new Date(instant.getTime() + 3_600_000)) >= day).toBe(true);
      }),
    );
  });

  it('is an error for an unknown time zone', () => {
    expect(() => dayIn('Mars/Olympus', new Date(0))).toThrow(RangeError);
  });
});
