import fc from 'fast-check';
import { formatMoney, parseMoney } from './money';

describe('money', () => {
  it.each([
    ['12', 1200n, '12.00'],
    ['12.5', 1250n, '12.50'],
    ['12.05', 1205n, '12.05'],
    ['-0.10', -10n, '-0.10'],
    ['0', 0n, '0.00'],
    ['-0.00', 0n, '0.00'],
    ['-0.01', -1n, '-0.01'],
    ['007.1', 710n, '7.10'],
    ['9999999999.99', 999_999_999_999n, '9999999999.99'],
    ['-9999999999.99', -999_999_999_999n, '-9999999999.99'],
  ])('%s is %d hundredths, formatted as %s', (text, hundredths, written) => {
    expect(parseMoney(text)).toBe(hundredths);
    expect(formatMoney(hundredths)).toBe(written);
  });

  it.each([
    '',
    '-',
    '.5',
    '5.',
    '+5',
    '--5',
    '1.234',
    '1.230',
    '12345678901',
    '1e3',
    '1,000.00',
    ' 1',
    '1\n',
    '0x10',
    '٣',
    'NaN',
  ])('%j is not an amount', (text) => {
    expect(parseMoney(text)).toBeUndefined();
  });

  it('parses more digits than an amount may have only with a higher limit', () => {
    expect(parseMoney('-12345678901234.56', 16)).toBe(-1_234_567_890_123_456n);
    expect(parseMoney('12345678901234567.00', 16)).toBeUndefined();
  });

  it('is formatted and parsed without a change for any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), (amount) => {
        expect(formatMoney(amount)).toMatch(/^-?(0|[1-9]\d*)\.\d\d$/);
        expect(parseMoney(formatMoney(amount), 20)).toBe(amount);
      }),
    );
  });

  it('cannot be serialised to JSON without formatting', () => {
    expect(() => JSON.stringify({ amount: parseMoney('0.10') })).toThrow(TypeError);
  });
});
