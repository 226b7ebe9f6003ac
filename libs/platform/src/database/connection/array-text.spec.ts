import { createRequire } from 'node:module';
import { arrayText, withArrayTexts } from './array-text';

/** pg's own conversion, which it does not export. */
const { prepareValue } = createRequire(__filename)('pg/lib/utils') as {
  prepareValue: (value: unknown) => unknown;
};

describe('the text of arrays', () => {
  it('has the members that pg sends, without quotes where a member has no text', () => {
    expect(arrayText([1, -2.5, 10n, true, false, null, undefined])).toBe('{1,-2.5,10,true,false,NULL,NULL}');
    expect(arrayText([])).toBe('{}');
  });

  it.each([
    [['a', 'NULL', '', ' ', 'a,b', '{}', '\n']],
    [['"', '\\', '\\"', '"a" \\ "b"', "it's"]],
    [['', null, '']],
    [['🐕', 'ł', '\u0001']],
  ])('is that of pg for text: %j', (members) => {
    expect(arrayText(members)).toBe(prepareValue(members));
  });

  it.each([[[new Date(0)]], [[Buffer.from('a')]], [[['a']]], [[{ a: 1 }]], [['a', new Date(0)]]])(
    'is left to pg for other members: %j',
    (members) => {
      expect(arrayText(members)).toBeUndefined();
      expect(withArrayTexts([members, 'text'])).toEqual([members, 'text']);
    },
  );
});
