import fc from 'fast-check';
import { dayAfter, dayIn } from './calendar';

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
        expect(utc === day || utc === dayAfter(day) || day === dayAfter(utc)).toBe(true);
        expect(dayIn(zone, new Date(instant.getTime() + 3_600_000)) >= day).toBe(true);
      }),
    );
  });

  it('is an error for an unknown time zone', () => {
    expect(() => dayIn('Mars/Olympus', new Date(0))).toThrow(RangeError);
  });
});

it.each([
  ['2026-11-29', '2026-11-30'],
  ['2026-11-30', '2026-12-01'],
  ['2026-12-31', '2027-01-01'],
  ['2024-02-28', '2024-02-29'],
  ['9999-12-31', '9999-12-31'],
])('the day after %s is %s', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});
