import fc from 'fast-check';
import { memberText } from './member-text';

it('is the text as it stands, with numbers that JavaScript cannot hold', () => {
  const line = ' { "a" : [1,{"body":2}] , "body" : {"amount": 12345678901234567.10, "x": "}\\",{" } }';
  expect(memberText(line, 'body')).toBe('{"amount": 12345678901234567.10, "x": "}\\",{" }');
  expect(memberText(line, 'a')).toBe('[1,{"body":2}]');
  expect(memberText(line, 'x')).toBeUndefined();
});

it('finds a name however it is escaped, and the last of two', () => {
  expect(memberText('{"body":1,"b\\u006fdy":2}', 'body')).toBe('2');
});

it('means what JSON.parse means, for any object', () => {
  const name = fc.constantFrom('body', 'query', '', '"', '\\');
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue()),
      name,
      fc.constantFrom(0, 2),
      (object, wanted, indent) => {
        const text = memberText(JSON.stringify(object, undefined, indent), wanted);
        const expected = Object.hasOwn(object, wanted) ? JSON.stringify(object[wanted]) : undefined;
        expect(text === undefined ? undefined : JSON.stringify(JSON.parse(text))).toBe(expected);
      },
    ),
  );
});
