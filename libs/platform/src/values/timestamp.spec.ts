import fc from 'fast-check';
import { parseUtcDatetime, toOffsetMicroseconds, toUtcSeconds } from './timestamp';

const ZONES = [
  'UTC',
  'Europe/London',
  'Asia/Kolkata',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];

const anyInstant = fc.date({
  min: new Date('1972-01-01T00:00:00Z'),
  max: new Date('2099-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const stored = (instant: Date, microseconds: string) =>
  `${instant.toISOString().slice(0, 19).replace('T', ' ')}.${microseconds}+00`;

describe('datetimes of v2 (contract, "Import process in v2")', () => {
  it.each([
    ['2026-11-21 08:40:00.123456+00', 'UTC', '2026-11-21T08:40:00.123456+00:00'],
    ['2026-11-21 08:40:00+00', 'UTC', '2026-11-21T08:40:00.000000+00:00'],
    ['2026-11-21 08:40:00.1+00', 'UTC', '2026-11-21T08:40:00.100000+00:00'],
    ['2026-11-21T08:40:00.000001Z', 'Etc/UTC', '2026-11-21T08:40:00.000001+00:00'],
    // The clocks of London go forward at 01:00 UTC and back at 01:00 UTC.
    ['2026-03-29 00:59:59.999999+00', 'Europe/London', '2026-03-29T00:59:59.999999+00:00'],
    ['2026-03-29 01:00:00+00', 'Europe/London', '2026-03-29T02:00:00.000000+01:00'],
    ['2026-10-25 00:59:59.5+00', 'Europe/London', '2026-10-25T01:59:59.500000+01:00'],
    ['2026-10-25 01:00:00.5+00', 'Europe/London', '2026-10-25T01:00:00.500000+00:00'],
    ['2026-12-31 23:30:00.25+00', 'Asia/Kolkata', '2027-01-01T05:00:00.250000+05:30'],
    ['2026-01-01 02:15:00+00', 'America/New_York', '2025-12-31T21:15:00.000000-05:00'],
    ['2026-07-01 02:15:00+00', 'America/New_York', '2026-06-30T22:15:00.000000-04:00'],
    ['2026-01-01 00:00:00.000009+00', 'America/St_Johns', '2025-12-31T20:30:00.000009-03:30'],
    ['2026-01-01 00:00:00+00', 'Pacific/Chatham', '2026-01-01T13:45:00.000000+13:45'],
    ['2024-02-28 23:00:00+00', 'Europe/Berlin', '2024-02-29T00:00:00.000000+01:00'],
  ])('%s in %s is formatted as %s', (input, zone, expected) => {
    expect(toOffsetMicroseconds(input, zone)).toBe(expected);
  });

  it('denote the same instant in every time zone and keep all microseconds', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.integer({ min: 0, max: 999_999 }),
        fc.constantFrom(...ZONES),
        (instant, micros, zone) => {
          const fraction = String(micros).padStart(6, '0');
          const formatted = toOffsetMicroseconds(stored(instant, fraction), zone);
          expect(formatted).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);
          expect(formatted.slice(20, 26)).toBe(fraction);
          expect(Math.floor(Date.parse(formatted) / 1_000)).toBe(Math.floor(instant.getTime() / 1_000));
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    '2026-11-21 08:40:00.123456+01',
    '2026-11-21 08:40:00',
    '2026-11-21 08:40:00+00:30',
    '12026-11-21 08:40:00Z',
    'now',
    '',
  ])('are not created from %j, which is not a UTC timestamp', (input) => {
    expect(() => toOffsetMicroseconds(input, 'UTC')).toThrow(RangeError);
    expect(() => toUtcSeconds(input)).toThrow(RangeError);
  });
});

describe('datetimes of v1 (contract, "Values")', () => {
  it.each([
    ['2026-11-21 08:40:00.999999+00', '2026-11-21T08:40:00Z'],
    ['2026-11-21 08:40:00+00', '2026-11-21T08:40:00Z'],
    ['0999-01-01 00:00:00+00:00', '0999-01-01T00:00:00Z'],
  ])('%s is formatted as %s: fractions are truncated, not rounded', (input, expected) => {
    expect(toUtcSeconds(input)).toBe(expected);
  });
});

describe('datetimes in requests (contract, "Values")', () => {
  it.each([
    ['2026-01-31T09:00:00Z', Date.UTC(2026, 0, 31, 9)],
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ])('%s is parsed', (input, expected) => {
    expect(parseUtcDatetime(input)?.getTime()).toBe(expected);
  });

  it.each([
    ['a day that does not exist', '2026-02-29T00:00:00Z'],
    ['a month that does not exist', '2026-13-01T00:00:00Z'],
    ['the hour 24', '2026-01-31T24:00:00Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['an offset', '2026-01-31T09:00:00+00:00'],
    ['fractions', '2026-01-31T09:00:00.5Z'],
    ['no zone', '2026-01-31T09:00:00'],
    ['a lower-case z', '2026-01-31t09:00:00z'],
    ['a date alone', '2026-01-31'],
    ['five digits of year', '+012026-01-31T09:00:00Z'],
    ['a line end', '2026-01-31T09:00:00Z\n'],
    ['a number', 1_769_850_000],
    ['null', null],
  ])('a datetime with %s is refused', (_case, input) => {
    expect(parseUtcDatetime(input)).toBeUndefined();
  });

  it('are parsed without a change', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const text = `${instant.toISOString().slice(0, 19)}Z`;
        expect(parseUtcDatetime(text)?.toISOString()).toBe(`${text.slice(0, -1)}.000Z`);
      }),
    );
  });
});
