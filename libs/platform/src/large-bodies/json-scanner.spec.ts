import { JsonScanner } from './json-scanner';

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
    '{"long":[12345678901234567890,-1234567890123456]}',
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
