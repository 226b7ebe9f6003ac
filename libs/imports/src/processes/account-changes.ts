import { isObject } from '@portage/platform';

/** A difference between an account as it was imported and as it is sent. */
export interface AccountChange {
  /**
   * Dotted path of the field with zero-based list positions: in the account as it is sent, or as it was for what is gone.
   */
  path: string;
  /** Null where there was nothing. */
  from: unknown;
  /** Null where there is nothing any more. */
  to: unknown;
}

/** All differences of an account, of which the first ones are listed. */
export interface AccountChanges {
  /** In the order of the account, at most {@link MAX_CHANGES}. */
  changes: AccountChange[];
  /** The number of all differences. */
  count: number;
}

/** Changes that are listed and stored. */
export const MAX_CHANGES = 200;

/** The fields by which a member of a list is found again. Members of other lists are compared by their place. */
const IDENTITIES: Readonly<Record<string, readonly string[]>> = {
  customers: ['user_identifier'],
  references: ['namespace'],
  meter_points: ['identifier'],
  meters: ['meter_serial_number'],
  registers: ['register_id'],
  agreements: ['tariff_code', 'effective_from'],
  ledgers: ['ledger_code'],
  historical_statement_transactions: ['transaction_id'],
  current_statement_transactions: ['transaction_id'],
  statements: ['statement_id'],
  debts: ['cais_reference'],
  notes: ['external_id'],
  payment_instructions: ['type', 'ledger_code'],
};

/** Finds what differs between two accounts. A field that is null equals one that is missing. */
export function findAccountChanges(before: object, after: object): AccountChanges {
  const found: AccountChanges = { changes: [], count: 0 };
  compare('', '', before, after, found);
  return found;
}

function compare(name: string, path: string, before: unknown, after: unknown, found: AccountChanges): void {
  if (Array.isArray(before) && Array.isArray(after)) compareLists(name, path, before, after, found);
  else if (isObject(before) && isObject(after))
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)]))
      compare(key, path === '' ? key : `${path}.${key}`, before[key], after[key], found);
  else if (!isEqual(before, after)) {
    found.count += 1;
    if (found.changes.length < MAX_CHANGES)
      found.changes.push({ path, from: before ?? null, to: after ?? null });
  }
}

function compareLists(
  name: string,
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  found: AccountChanges,
): void {
  const [keysBefore = [], keysAfter = []] = keysOf(name, before, after);
  const placeOf = new Map(keysBefore.map((key, place) => [key, place]));
  for (const [place, member] of after.entries()) {
    const placeBefore = placeOf.get(keysAfter[place] as string);
    const earlier = placeBefore === undefined ? undefined : before[placeBefore];
    compare('', `${path}.${place}`, earlier, member, found);
  }
  const kept = new Set(keysAfter);
  for (const [place, member] of before.entries())
    if (!kept.has(keysBefore[place] as string)) compare('', `${path}.${place}`, member, undefined, found);
}

/** A key of each member of both lists: by its identity if all have one and no two share it, otherwise its place. */
function keysOf(name: string, ...lists: (readonly unknown[])[]): string[][] {
  const fields = IDENTITIES[name];
  const byIdentity = lists.map((list) => list.map((member) => identityOf(fields, member)));
  const hasIdentities = byIdentity.every(
    (keys) => keys.every((key) => key !== undefined) && new Set(keys).size === keys.length,
  );
  return hasIdentities
    ? (byIdentity as string[][])
    : lists.map((list) => list.map((_, place) => String(place)));
}

function identityOf(fields: readonly string[] | undefined, member: unknown): string | undefined {
  if (!fields || !isObject(member)) return undefined;
  const values = fields.map((field) => member[field] ?? null);
  return values.every((value) => value === null) ? undefined : JSON.stringify(values);
}

function isEqual(before: unknown, after: unknown): boolean {
  if (before === null || before === undefined) return isNothing(after);
  if (isNothing(after)) return isNothing(before);
  return before === after;
}

/** Null, or a list or an object without members. */
function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === 'object' && Object.values(value).every((member) => member === undefined))
  );
}
