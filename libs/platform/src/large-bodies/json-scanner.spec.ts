import fc from 'fast-check';
import { isExactNumeral } from './exact-numeral';
import { JsonScanner } from './json-scanner';
import { countKeys, findRepeatedKey } from './repeated-keys';

const LIMITS = { values: 1_000, nesting: 8 };

/** The scanner's findings for a text that arrives in chunks of `size` bytes. */
function scan(text: string, size = 1_000_000) {
  const scanner = new JsonScanner(LIMITS);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    const excess = scanner.push(bytes.subarray(start, start + size));
    if (excess) return { excess, values: scanner.values };
  }
  return { excess: undefined, values: scanner.values };
}

/** The values and keys of parsed JSON. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, item) => sum + count(item), 1 + keys);
}

describe('the scanner of JSON bodies', () => {
  const texts = [
    '{}',
    '{"a":1,"b":[1,2,{"c":null}],"d":"x"}',
    '{"text":"commas, colons: and [brackets] {in} strings don\'t count"}',
    '{"escaped":"\\"quote\\", \\\\","after":[1,2]}',
    '{"backslash":"\\\\"}',
    '{"long":[12345678901234567000,-1234567890123456]}',
    '{"unicode":"\\u0022, é€😀"}',
    ` { "spaced" : [ 1 , 2 ] } `,
    JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ index, list: [] }))),
  ];

  it.each(texts)(
    'counts every value and key of a text below the root, and none more than twice: %j',
    (text) => {
      const { excess, values } = scan(text);
      const actual = count(JSON.parse(text));
      expect(excess).toBeUndefined();
      expect(values).toBeGreaterThanOrEqual(actual - 1);
      expect(values).toBeLessThanOrEqual(2 * actual);
    },
  );

  it.each(texts)('finds the same wherever a text is divided into chunks: %j', (text) => {
    for (const size of [1, 2, 3, 7]) expect(scan(text, size)).toEqual(scan(text));
  });

  it('reports a value beyond the limit, and counts no word twice', () => {
    expect(scan('[true,false,null]').values).toBe(3);
    expect(scan(`[${'1,'.repeat(999)}1]`).excess).toBeUndefined();
    expect(scan(`[${'1,'.repeat(1_000)}1]`).excess).toBe('values');
  });

  it('reports too many values before the end of the text', () => {
    const { excess, values } = scan(`[${'{},'.repeat(1_000_000)}1]`, 3_000);
    expect(excess).toBe('values');
    expect(values).toBeLessThan(5_000);
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('reports nesting beyond the limit: %s', (_what, open, close) => {
    expect(scan(`${open.repeat(8)}1${close.repeat(8)}`).excess).toBeUndefined();
    expect(scan(`${open.repeat(9)}1${close.repeat(9)}`).excess).toBe('nesting');
    expect(scan(open.repeat(9)).excess).toBe('nesting');
    expect(scan(`[${`${open}1${close},`.repeat(300)}1]`).excess).toBeUndefined();
  });

  it('counts the prefix that JSON.parse reads of a text with a syntax error', () => {
    expect(scan('[1,2,3} "').values).toBe(3);
    expect(scan('"'.repeat(9)).values).toBe(0);
  });
});

describe('a number of a JSON text', () => {
  /** The finding for a number in the middle of a text, whose chunks may end anywhere in it. */
  const excessOf = (numeral: string) => {
    const findings = [1, 2, 5, 1_000].map(
      (size) => scan(`{"a": ${numeral} , "b":[${numeral}]}`, size).excess,
    );
    expect(new Set(findings).size).toBe(1);
    return findings[0];
  };

  it.each([
    '0',
    '-0',
    '0.0',
    '-0.0e5',
    '12.34',
    '12.3400',
    '123456789012345',
    '12345678901234567000',
    '1e2',
    '1E+2',
    '100e-2',
    '0.1',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
    '12.340000000000000000000000000',
  ])('a number that JSON.parse reads exactly is taken: %s', (numeral) => {
    expect(excessOf(numeral)).toBeUndefined();
  });

  it.each([
    '12.340000000000000001',
    '12345678901234567890',
    '9007199254740993',
    '0.10000000000000001',
    '1e-400',
    '-1e-400',
    '1e400',
    '4e-324',
    '0.1e-99999999999999999999',
    `0.${'1'.repeat(200)}`,
    '1'.repeat(5_000),
  ])('a number that it would round is found: %s', (numeral) => {
    expect(excessOf(numeral)).toBe('precision');
  });

  it('a number that a program has written is taken, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExactNumeral(JSON.stringify(value))).toBe(true);
        expect(isExactNumeral(value.toExponential())).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.integer(), fc.nat(20), (value, decimals) => {
        expect(isExactNumeral(`${value}.${'0'.repeat(decimals)}`)).toBe(true);
        const digits = String(Math.abs(value)).length + decimals + 1;
        // A double has 15 to 17 digits.
        if (value !== 0 && (digits <= 15 || digits > 17))
          expect(isExactNumeral(`${value}.${'0'.repeat(decimals)}1`)).toBe(digits <= 15);
      }),
    );
  });

  it('is looked for outside of texts only, and words have none', () => {
    const text = '{"1e-400":"12.340000000000000001","a":[true,false,null,"x\\"9007199254740993"]}';
    for (const size of [1, 3, 1_000]) expect(scan(text, size).excess).toBeUndefined();
  });
});

describe('a key that an object has twice', () => {
  const repeatedIn = (text: string) => {
    const scanner = new JsonScanner({ values: 10_000, nesting: 32 });
    scanner.push(Buffer.from(text));
    const isRepeated = countKeys(JSON.parse(text) as object) < scanner.keys;
    const key = findRepeatedKey(text);
    expect(isRepeated).toBe(key !== undefined);
    return key;
  };

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":[{"c":1,"d":{},"c":1}]}}', 'c'],
    ['{"is_dry_run":true,"x":[],"is\\u005fdry_run":false}', 'is_dry_run'],
    ['{"__proto__":1,"__proto__":{}}', '__proto__'],
    ['{"1":1,"2":2,"1":3}', '1'],
    ['{"":1,"":1}', ''],
    ['[{"a:b\\"":1,"a:b\\"":1}]', 'a:b"'],
  ])('is found: %s', (text, key) => {
    expect(repeatedIn(text)).toBe(key);
  });

  it.each([
    '{}',
    '[]',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a:","c":["a","a"]}',
    '{"__proto__":{"a":1},"constructor":1,"toString":null}',
  ])('is not in %s', (text) => {
    expect(repeatedIn(text)).toBeUndefined();
  });

  it('is not in what a program has written', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (typeof JSON.parse(text) === 'object' && JSON.parse(text) !== null)
          expect(repeatedIn(text)).toBeUndefined();
      }),
    );
  });
});
