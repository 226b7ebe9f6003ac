import { escapeForLine, escapeForTerminal, hasInvisibleCharacter, replaceInvisible } from './invisible-text';

const INVISIBLE: [string, string, string][] = [
  ['NUL', '\u0000', '\\u0000'],
  ['an escape character', '\u001b', '\\u001b'],
  ['a carriage return', '\r', '\\u000d'],
  ['a tab', '\t', '\\u0009'],
  ['DEL', '\u007f', '\\u007f'],
  ['the C1 control sequence introducer', '\u009b', '\\u009b'],
  ['a soft hyphen', '\u00ad', '\\u00ad'],
  ['an Arabic letter mark', '\u061c', '\\u061c'],
  ['a zero-width space', '\u200b', '\\u200b'],
  ['a zero-width joiner', '\u200d', '\\u200d'],
  ['a right-to-left mark', '\u200f', '\\u200f'],
  ['a line separator', '\u2028', '\\u2028'],
  ['a right-to-left override', '\u202e', '\\u202e'],
  ['a word joiner', '\u2060', '\\u2060'],
  ['an isolate', '\u2066', '\\u2066'],
  ['a Hangul filler', '\u3164', '\\u3164'],
  ['a variation selector', '\ufe0f', '\\ufe0f'],
  ['a byte order mark', '\ufeff', '\\ufeff'],
  ['a tag character', '\u{e0041}', '\\udb40\\udc41'],
  ['the empty Braille pattern', '\u2800', '\\u2800'],
  ['a noncharacter', '\uffff', '\\uffff'],
  ['an unpaired surrogate', '\ud800', '\\ud800'],
];

it.each(INVISIBLE)('%s is found, escaped for terminals and replaced', (_name, character, escaped) => {
  expect(hasInvisibleCharacter(`a${character}b`)).toBe(true);
  expect(escapeForTerminal(`a${character}b`)).toBe(`a${escaped}b`);
  expect(escapeForLine(`a${character}b`)).toBe(`a${escaped}b`);
  expect(replaceInvisible(`a${character}b`, '_')).toBe('a_b');
});

it('a line feed is invisible, and ends a line of a text but not of a value', () => {
  expect(hasInvisibleCharacter('a\nb')).toBe(true);
  expect(escapeForTerminal('a\nb')).toBe('a\nb');
  expect(escapeForLine('a\nb')).toBe('a\\u000ab');
});

it('visible text of any script is unchanged', () => {
  for (const text of [
    '',
    ' A-100231 ',
    'Zoë Müller',
    'Владимир',
    '山田',
    'عميل',
    '\u{1f600}',
    '│ ├ ─',
    '\\u001b',
  ]) {
    expect(hasInvisibleCharacter(text)).toBe(false);
    expect(escapeForTerminal(text)).toBe(text);
    expect(escapeForLine(text)).toBe(text);
  }
});

it('escaped JSON means the same', () => {
  const value = { text: INVISIBLE.map(([, character]) => character).join('x'), list: ['\n'] };
  expect(JSON.parse(escapeForTerminal(JSON.stringify(value, undefined, 2)))).toEqual(value);
});
