import { normalizeIdentifier, readIdentifier } from './identifier';

it.each([
  ['a plain one', 'A-100231', 'A-100231'],
  ['one with spaces, slashes and marks', 'own id/ü %2F?#', 'own id/ü %2F?#'],
  ['one of 128 characters outside the basic plane', '\u{1F600}'.repeat(128), '\u{1F600}'.repeat(128)],
  ['one with spaces around it', '\u00a0\u3000 A-1 \ufeff', 'A-1'],
  ['one with a space at its end', 'A-1 ', 'A-1'],
  ['one with decomposed accents', 'Mu\u0308ller', 'M\u00fcller'],
  ['one with a no-break space', 'A\u00a01', 'A 1'],
  ['one with an ideographic space', 'A\u30001', 'A 1'],
  ['one with a narrow no-break space', 'A\u202f1', 'A 1'],
  ['one with two spaces', 'A  1', 'A  1'],
  ['the Kelvin sign', '\u212a-1', 'K-1'],
])('%s has one spelling', (_case, text, expected) => {
  expect(readIdentifier(text)).toBe(expected);
  expect(normalizeIdentifier(expected)).toBe(expected);
});

it.each([
  ['the empty text', ''],
  ['a blank text', ' \u00a0\u3000'],
  ['one with a NUL', 'A\u0000'],
  ['one with a line break', 'A\n1'],
  ['one with a zero-width space', 'A\u200b1'],
  ['one with a soft hyphen', 'A\u00ad1'],
  ['one with a mark of direction', 'A\u202e1'],
  ['one with the empty Braille pattern', 'A\u28001'],
  ['one with a Hangul filler', 'A\u31641'],
  ['one with a noncharacter', 'A\uffff'],
  ['one of 257 characters', 'x'.repeat(257)],
])('%s identifies nothing', (_case, text) => {
  expect(readIdentifier(text)).toBeUndefined();
});
