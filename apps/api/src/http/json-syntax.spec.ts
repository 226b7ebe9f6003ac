import { buildSyntaxError } from './json-syntax';

describe('the error for a body that is not JSON', () => {
  it.each([
    ['{"amount": NaN}', 11, /NaN and Infinity are not JSON/],
    ['{"amount": -Infinity}', 11, /NaN and Infinity are not JSON/],
    ['{"a": None}', 6, /Send null/],
    ['{"a": True}', 6, /true or false/],
    ["{'a': 1}", 1, /double quotes/],
    ['{"a": 1,}', 8, /comma too many/],
    ['[1, 2,]', 6, /comma too many/],
    ['{"a": 01}', 7, /leading zeros/],
    ['{"a": 1 // one\n}', 8, /no comments/],
    ['{"a": 1', 7, /ends too early/],
    ['{"a": "\n"}', 7, /unexpected character/],
    ['{"a": "\\x"}', 7, /unexpected character/],
    ['{} {}', 3, /unexpected character/],
    ['[1 2]', 3, /unexpected character/],
    ['{"a" 1}', 5, /unexpected character/],
    ['{1: 2}', 1, /unexpected character/],
  ])('says where %j is not, and how to mend it', (text, position, sentence) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    const { code, detail } = buildSyntaxError(text);
    expect([code, detail]).toEqual(['parse_error', expect.stringContaining(`at position ${position} `)]);
    expect(detail).toMatch(sentence);
  });

  it('counts lines and columns from 1', () => {
    expect(buildSyntaxError('{\n  "a": NaN\n}').detail).toContain('(line 2, column 8)');
  });

  it('is found in deeply nested bodies without recursion', () => {
    expect(buildSyntaxError('['.repeat(500_000)).detail).toContain('ends too early');
  });
});
