import fc from 'fast-check';
import { exampleOf } from '../src/openapi/example';
import type { PropertyConstraints } from '../src/compiler/constraints';
import type { Constraint } from '../src/vocabulary/constraint';
import type { ObjectType } from '../src/vocabulary/shape';

/** Values at and beyond the limits of all kinds of fields. */
export const EDGE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  ['a', 1, null],
  { a: { b: [1] } },
  undefined,
  0,
  -0,
  1,
  5,
  -1,
  1.5,
  0.1,
  28,
  29,
  1e21,
  1e-7,
  1.25e-9,
  12345678901.123,
  123456789012345680000,
  '',
  ' ',
  '\t\n',
  'x',
  ' x ',
  'A',
  'é',
  'ÿ ',
  '\u3000x',
  'a\u0007b',
  'a\u009bb',
  'a\u200bb',
  'a\u202eb',
  'a\u034f',
  'e\u0301',
  'a\u00a0b',
  'a\u2800b',
  '\u0958'.repeat(128),
  '\u3164',
  'a\ufeff',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00',
  '😀',
  ...[2, 3, 4, 10, 11, 16, 20, 32, 33, 50, 100, 128, 129, 254, 255, 256, 512, 513].map((n) => 'a'.repeat(n)),
  '😀'.repeat(20),
  '😀'.repeat(128),
  '😀'.repeat(129),
  'a'.repeat(1001),
  '1'.repeat(1001),
  '1'.repeat(1000),
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-04-31',
  '0000-01-01',
  '0001-01-01',
  '2024-1-1',
  '2024-06-01T10:00:00Z',
  '2024-06-01T24:00:00Z',
  '2024-06-01T10:60:00Z',
  '2024-06-01T10:00:60Z',
  '9999-12-31',
  '2024-06-01 10:00',
  '2024-06-01T10:00:00+01:00',
  '2024-06-01T10:00:00.5Z',
  '2023-02-29T10:00:00Z',
  '12:30',
  '12:30:59',
  '24:00',
  '1:00',
  '1',
  '-1',
  '+1',
  '01',
  '007.50',
  '-0',
  '-0.00',
  '.5',
  '5.',
  '.',
  '-',
  '1e5',
  ' 7 ',
  '0.001',
  '12.345',
  '123456789.12',
  '1234567890.12',
  '12345678901.12',
  '12345678901',
  '0.12345678901',
  'NaN',
  '99999999',
  '999999999',
  '12345678.1234567',
  '0000000000000001.5',
  '1,5',
  '٣',
  '9007199254740993',
  '15',
  '16',
  'm.aldous@example.org',
  'a@b',
  'a@b.c',
  'a..b@c.de',
  '.a@c.de',
  'a@-c.de',
  'a@c-.de',
  'a@c.d1',
  '"q q"@c.de',
  `${'a'.repeat(64)}@c.de`,
  `${'a'.repeat(65)}@c.de`,
  'ä@c.de',
  'a@ä.de',
  "o'neil@c.de",
  'a@c.de ',
  'a@@c.de',
  '01212345678',
  '+441212345678',
  '0121 234 5678',
  '+33612345678',
  'abcde',
  '07700900123',
  '1212345678',
  '+44',
  'NN99 9ZZ',
  'nn999zz',
  'NN99  9ZZ',
  'NN9',
  'GIR 0AA',
  '12345678',
  '1234567',
  'sc123456',
  'SC12345',
  'P-0A1B2C3D',
  '1000000000110',
  '1000000000111',
  '9900010107',
  '9900010108',
  '2023/24',
  '2023-24',
  '1999/00',
  '2023/25',
  '00-0B-6B-FF-12-34-56-78',
  '00-0B',
  'E6S0099187',
  'E6S-0099187',
  'DOMESTIC',
  'domestic',
  'GAS',
  'PAYMENT',
];

/** All values of a field that are compared: those of every kind and those at its own limits. A list has each as a member, too. */
export function valuesOf({ constraints, items }: PropertyConstraints): unknown[] {
  const values = [...EDGE_VALUES, ...constraints.flatMap(limitsOf)];
  if (!constraints.some(({ name }) => name === 'isArray')) return values;
  const members = [...EDGE_VALUES, ...items.flatMap(limitsOf)].filter((value) => value !== undefined);
  return [...values, ...members.map((member) => [member])];
}

/** Values at and beyond the limits of one constraint. */
function limitsOf(constraint: Constraint): unknown[] {
  switch (constraint.name) {
    case 'minLength':
      return textsOfLength(constraint.min);
    case 'maxLength':
      return textsOfLength(constraint.max);
    case 'min':
      return around(constraint.min);
    case 'max':
      return around(constraint.max);
    case 'digits':
      return numeralsAround(constraint.whole, constraint.places);
    case 'arrayMinSize':
      return around(constraint.min).map((length) => Array<string>(Math.max(0, length)).fill('a'));
    case 'isIn':
      return [...constraint.values, constraint.values[0]?.toLowerCase(), ` ${constraint.values[0]}`];
    case 'format': {
      const { example } = constraint.format;
      return [example, ` ${example} `, `${example}x`, example.toLowerCase(), example.toUpperCase()];
    }
    default:
      return [];
  }
}

const around = (limit: number): number[] => [limit - 1, limit, limit + 1];

function textsOfLength(limit: number): string[] {
  return around(limit).flatMap((length) => ['a', '1', '😀'].map((text) => text.repeat(Math.max(0, length))));
}

/** Decimals with as many digits before and after the point as are permitted, and with one more. */
function numeralsAround(whole: number, places: number): string[] {
  return [whole, whole + 1].flatMap((before) =>
    [places, places + 1].flatMap((after) => {
      const digits = '9'.repeat(before);
      const decimals = `${digits}.${'9'.repeat(after)}`;
      return [digits, decimals, `-${decimals}`, `00${decimals}`, `${decimals}00`];
    }),
  );
}

/** A random value, usually an edge case. */
const edgeValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...EDGE_VALUES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** A payload with a few values replaced, removed or added at random places. */
export function mutated(base: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('exchange', 'exchange', 'exchange', 'remove', 'add'),
    value: edgeValue,
  });
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    const root = { payload: structuredClone(base) };
    for (const { at, how, value: shared } of changes) {
      const value: unknown = structuredClone(shared);
      const entries = listEntries(root.payload);
      const [holder, key] = entries[at % entries.length] ?? [root.payload as object, 'undocumented'];
      const target = holder as Record<string, unknown>;
      if (how === 'remove' && !Array.isArray(holder)) Reflect.deleteProperty(target, key);
      else if (how === 'add' && Array.isArray(holder)) holder.push(value ?? null);
      // A JSON list has no holes.
      else target[key] = Array.isArray(holder) ? (value ?? null) : value;
    }
    return root.payload;
  });
}

type Entry = [holder: object, key: string];

function listEntries(value: unknown): Entry[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[value, key] as Entry, ...listEntries(inner)]);
}

/** A mutation of the class's example. */
export function mutatedExample(type: ObjectType): fc.Arbitrary<unknown> {
  return mutated(exampleOf(type));
}
