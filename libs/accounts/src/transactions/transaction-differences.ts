import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

/** Fields whose values are decimals: texts such as `12.5` and `12.50` are equal. */
const DECIMALS: ReadonlySet<string> = new Set([
  'amount',
  'net_amount',
  'number_of_units',
  'price_per_unit',
  'units',
  'rate',
  'value_taxed',
]);

/**
 * The names of the fields in which a submitted transaction differs from the stored one with its id, in the order of the
 * submitted fields. Absent fields, nulls and empty lists are equal.
 */
export function transactionDifferences(submittedFields: object, storedFields: object): string[] {
  const [submitted, stored] = [submittedFields as Fields, storedFields as Fields];
  const names = new Set([...Object.keys(submitted), ...Object.keys(stored)]);
  return [...names].filter(
    (name) => !isDeepStrictEqual(normalize(name, submitted[name]), normalize(name, stored[name])),
  );
}

/** The same value for equal ones. */
function normalize(name: string, value: unknown): unknown {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (Array.isArray(value)) return value.map((member) => normalize(name, member));
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .map(([member, inner]) => [member, normalize(member, inner)] as const)
        .filter(([, inner]) => inner !== undefined),
    );
  return DECIMALS.has(name) && typeof value === 'string' && value.includes('.')
    ? value.replace(/\.?0+$/, '')
    : value;
}
