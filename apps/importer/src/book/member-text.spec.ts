import fc from 'fast-check';
import { extractMemberText } from './member-text';

it('returns the unchanged text, with numbers that JavaScript cannot represent', () => {
  const line = ' { "a" : [1,{"body":2}] , "body" : {"amount": 12345678901234567.10, "x": "}\\",{" } }';
  expect(extractMemberText(line, 'body')).toBe('{"amount": 12345678901234567.10, "x": "}\\",{" }');
  expect(extractMemberText(line, 'a')).toBe('[1,{"body":2}]');
  expect(extractMemberText(line, 'x')).toBeUndefined();
});

it('finds an escaped name, and the last of two members with the same name', () => {
  expect(extractMemberText('{"body":1,"b\\u006fdy":2}', 'body')).toBe('2');
});

it('agrees with JSON.parse on any object', () => {
  const name = fc.constantFrom('body', 'query', '', '"', '\\');
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue()),
      name,
      fc.constantFrom(0, 2),
      (object, wanted, indent) => {
        const text = extractMemberText(JSON.stringify(object, undefined, indent), wanted);
        const expected = Object.hasOwn(object, wanted) ? JSON.stringify(object[wanted]) : undefined;
        expect(text === undefined ? undefined : JSON.stringify(JSON.parse(text))).toBe(expected);
      },
    ),
  );
});
