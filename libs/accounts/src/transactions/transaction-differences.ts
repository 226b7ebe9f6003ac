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
  return [...names].filter((name) => !isSame(name, submitted[name], stored[name]));
}

function isSame(name: string, left: unknown, right: unknown): boolean {
  if (isAbsent(left) || isAbsent(right)) return isAbsent(left) && isAbsent(right);
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((member, index) => isSame(name, member, right[index]));
  if (isObject(left) && isObject(right))
    return transactionDifferences(left, right).length === 0 && !Array.isArray(left) && !Array.isArray(right);
  if (DECIMALS.has(name)) return normalizeDecimal(left) === normalizeDecimal(right);
  return left === right;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function normalizeDecimal(value: unknown): unknown {
  return typeof value === 'string' && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}
