import type { Random } from './random';

const text = (random: Random): string =>
  random.pick([
    () => '',
    () => ' ',
    () => '\u0000',
    () => 'a\u0000b',
    () => '\ud800',
    () => 'x\udfffy',
    () => '\u202e\u2066\ufeff',
    () => '𝔘\u0301'.repeat(50),
    () => 'x'.repeat(random.between(100, 20_000)),
    () => "'; DROP TABLE account; --",
    () => '${7*7}{{7*7}}<%= 7*7 %>',
    () => '../../../../etc/passwd',
    () => '%2e%2e%2f%00',
    () => '<script>alert(1)</script>',
    () => '\r\nX-Injected: 1',
    () => '2024-02-30',
    () => '0000-00-00T00:00:00Z',
    () => '99999-01-01',
    () => '1e400',
    () => '-0.00',
    () => '١٢٣',
    () => '(a+)+$'.repeat(20),
    () => `${'a'.repeat(5_000)}@${'b.'.repeat(500)}`,
    () => '__proto__',
    () => 'LEGACY',
  ])();

const number = (random: Random): unknown =>
  random.pick<unknown>([
    0,
    -0,
    -1,
    1.5,
    1e308,
    -1e308,
    5e-324,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    2 ** 31,
    -(2 ** 63),
    0.1 + 0.2,
    99_999_999_999.99,
    1e21,
  ]);

function deep(random: Random): unknown {
  const isList = random.chance(0.5);
  let value: unknown = random.chance(0.5) ? 1 : 'x';
  for (let level = random.between(2, 200); level > 0; level -= 1) value = isList ? [value] : { a: value };
  return value;
}

const strangeObject = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => ({}),
    () => [],
    () => JSON.parse('{"__proto__":{"isAdmin":true}}') as unknown,
    () => ({ constructor: { prototype: { polluted: 1 } } }),
    () => ({ toString: 1, valueOf: null, length: -1, then: 'x', toJSON: 1 }),
    () => Array.from({ length: random.between(10, 500) }, () => random.pick<unknown>([null, {}, [], 1, 'x'])),
    () => Object.fromEntries(Array.from({ length: random.between(10, 200) }, (_, n) => [`field_${n}`, n])),
    () => deep(random),
  ])();

/** A value such as an attacker sends: injections, extreme lengths and numbers, deep nesting, names of the prototype. */
export function hostileValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => text(random),
    () => text(random),
    () => number(random),
    () => strangeObject(random),
    () => random.pick<unknown>([null, true, false]),
  ])();
}

export const hostileText = text;
