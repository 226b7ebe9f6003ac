import fc from 'fast-check';
import { AgreementCover } from '../../src/rules/terms/agreement-cover';
import { dayAfter, dayIn } from '../../src/rules/terms/calendar';
import { add, formatAmount, multiplyAndRound, parseExact, round } from '../../src/rules/terms/decimal';
import { findOverlaps, sortPeriods } from '../../src/rules/terms/period';
import { findRepeats, keyOf } from '../../src/rules/terms/find-repeats';

describe('days', () => {
  it.each([
    ['2024-02-28', '2024-02-29'],
    ['2024-02-29', '2024-03-01'],
    ['2023-02-28', '2023-03-01'],
    ['2024-09-30', '2024-10-01'],
    ['2024-10-09', '2024-10-10'],
    ['0099-12-31', '0100-01-01'],
    ['2023-12-31', '2024-01-01'],
    ['0001-01-01', '0001-01-02'],
    ['9999-12-31', '9999-12-31'],
  ])('%s is followed by %s', (day, next) => {
    expect(dayAfter(day)).toBe(next);
  });

  it("begin at midnight in the supplier's time zone", () => {
    const moment = new Date('2026-06-30T23:30:00Z');
    expect(dayIn('UTC', moment)).toBe('2026-06-30');
    expect(dayIn('Europe/London', moment)).toBe('2026-07-01');
    expect(dayIn('Europe/London', new Date('2026-06-30T22:59:59Z'))).toBe('2026-06-30');
  });
});

/** The canonical decimal text of a value in units of 10^-10. */
function textOf(value: bigint): string {
  return formatAmount(value).replace(/\.00$/, '');
}

/** Rounds a value in units of 10^-10 / `scale` to hundredths, with halves away from zero; in units of 10^-10. */
function roundedBy(value: bigint, scale: bigint): bigint {
  const divisor = 100_000_000n * scale;
  const size = value < 0n ? -value : value;
  const hundredths = (2n * size + divisor) / (2n * divisor);
  return (value < 0n ? -hundredths : hundredths) * 100_000_000n;
}

describe('exact decimals', () => {
  it('are added exactly', () => {
    expect(add(parseExact('0.1'), parseExact('0.2'))).toBe(parseExact('0.30'));
    expect(add(parseExact('-0.05'), parseExact('0.05'))).toBe(0);
    expect(formatAmount(parseExact('-9999999999.0000000001'))).toBe('-9999999999.0000000001');
    expect(formatAmount(parseExact('12.5'))).toBe('12.50');
  });

  it.each([
    ['0.005', '1', '0.01'],
    ['-0.005', '1', '-0.01'],
    ['0.0049999', '1', '0.00'],
    ['0.0049999999', '1.0000000001', '0.00'],
    ['12345678.1234567', '1', '12345678.12'],
    ['1.005', '1', '1.01'],
  ])('%s times %s is rounded to %s', (price, units, expected) => {
    expect(formatAmount(multiplyAndRound(parseExact(price), parseExact(units)))).toBe(expected);
  });

  const PLACES = 10_000_000_000n;
  const amounts = fc.oneof(
    fc.bigInt(-(10n ** 20n), 10n ** 20n),
    fc.bigInt(-(10n ** 6n), 10n ** 6n).map((hundredths) => (hundredths * PLACES) / 100n),
    fc.bigInt(-1_000n, 1_000n).map((off) => 2n ** 53n + off),
  );

  it('agree with integer arithmetic for any size', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const one = parseExact(textOf(a));
        const other = parseExact(textOf(b));
        expect([BigInt(one), BigInt(other)]).toEqual([a, b]);
        expect(BigInt(add(one, other))).toBe(a + b);
        expect(one === other).toBe(a === b);
        expect(add(one, other) === parseExact(textOf(a + b))).toBe(true);
        expect(BigInt(multiplyAndRound(one, other))).toBe(roundedBy(a * b, PLACES));
        expect(BigInt(round(one))).toBe(roundedBy(a, 1n));
      }),
      { numRuns: 500 },
    );
  });
});

describe('periods', () => {
  const periods = [
    { start: '2024-03-01', end: null },
    { start: '2024-01-01', end: '2024-02-01' },
    { start: '2024-02-01', end: '2024-03-01' },
  ];

  it('are sorted, and do not overlap at an exclusive end', () => {
    expect(sortPeriods(periods).map(({ start }) => start)).toEqual([
      '2024-01-01',
      '2024-02-01',
      '2024-03-01',
    ]);
    expect(findOverlaps(periods, false)).toEqual([]);
    expect(findOverlaps(periods, true)).toHaveLength(2);
  });

  it('overlap all later ones if they have no end', () => {
    const open = { start: '2024-01-15', end: undefined };
    expect(findOverlaps([...periods, open], false)).toHaveLength(3);
  });
});

describe('AgreementCover', () => {
  const cover = new AgreementCover([
    { tariff_code: 'B', effective_from: '2024-02-01' },
    { tariff_code: 'A', effective_from: '2024-01-01', effective_to: '2024-02-01' },
    { tariff_code: 'C', effective_from: '2024-03-01', effective_to: '2024-04-01' },
  ]);

  it.each([
    ['2023-12-31', '2024-01-05', 0],
    ['2024-01-01', '2024-01-31', 1],
    ['2024-01-31', '2024-02-01', 0],
    ['2024-02-01', '2024-12-31', 1],
    ['2024-03-01', '2024-03-31', 2],
    ['2024-03-01', '2024-04-01', 1],
  ])('counts the agreements from %s to %s', (from, to, count) => {
    expect(cover.count(from, to)).toBe(count);
  });
});

describe('findRepeats', () => {
  it('finds all but the first member with a key, and ignores members without a key', () => {
    const keys = ['a', undefined, 'b', 'a', undefined, 'a'];
    expect(findRepeats(keys, (key) => key)).toEqual([
      { index: 3, first: 0 },
      { index: 5, first: 0 },
    ]);
    expect(findRepeats(undefined, String)).toEqual([]);
  });
});

describe('keys of several texts', () => {
  it('are equal only for equal texts', () => {
    const parts = [undefined, '', '=', 'a', 'ab', 'b'];
    const pairs = parts.flatMap((one) => parts.map((other) => [one, other]));
    expect(new Set(pairs.map((pair) => keyOf(...pair))).size).toBe(pairs.length);
    expect(keyOf('a', null)).toBe(keyOf('a', undefined));
  });
});
