import { isPossibleIdentifier } from './identifier';

it.each([
  ['a plain one', 'A-100231', true],
  ['one with spaces, slashes and marks', 'own id/ü %2F?#', true],
  ['one of 128 characters outside the basic plane', '\u{1F600}'.repeat(128), true],
  ['the empty text', '', false],
  ['one with a NUL', 'A\u0000', false],
  ['one of 257 characters', 'x'.repeat(257), false],
])('%s is checked as an identifier', (_case, text, expected) => {
  expect(isPossibleIdentifier(text)).toBe(expected);
});
