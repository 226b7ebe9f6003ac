import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { account } from '@portage/testing';
import type { Measures } from '@portage/testing/promises';
import { mpan, mprn } from '@portage/testing/sample-book';

const EXAMPLES = join(__dirname, '..', '..', 'libs', 'account-schema', 'test', 'examples');
const DUAL_FUEL = readFileSync(join(EXAMPLES, '01-domestic-dual-fuel.json'), 'utf8');

let serial = 0;

/**
 * The contract's dual fuel account, which fills nearly every part of the schema. The accounts differ only in their unique
 * numbers, so each must have the same number of rows.
 */
function wholeAccount(number: string): object {
  const digits = String(serial++).padStart(7, '0');
  const text = DUAL_FUEL.replaceAll('LEGACY_A', 'LEGACY')
    .replaceAll('A-100231', number)
    .replaceAll('W-88-1021', `W-${number}`)
    .replaceAll('1000000000110', mpan(`10000${digits}`))
    .replaceAll('9900010107', mprn(`9${digits}`));
  return JSON.parse(text) as object;
}

/** The numbers and bodies of whole accounts. */
export function wholeBook(key: string, size: number): Map<string, object> {
  const numbers = Array.from({ length: size }, (_, index) => `${key}-${index}`);
  return new Map(numbers.map((number) => [number, wholeAccount(number)]));
}

/** The numbers and bodies of small accounts, made when they are sent. */
export function* smallBook(key: string, size: number): Generator<[string, object]> {
  for (let index = 0; index < size; index += 1) yield [`${key}-${index}`, account(`${key}-${index}`)];
}

/** What one small account counts in a reconciliation. */
export const SMALL_MEASURES: Measures = {
  accounts: 1,
  customers: 1,
  supply_points: 0,
  statements: 0,
  transactions: 0,
  opening_balance: 0,
  payment_instructions: 0,
  debts: 0,
  readings: 0,
  statement_total: 0,
  opening_debits: 0,
  opening_credits: 0,
  documents: 0,
};

/** What one whole account counts in a reconciliation. */
export const WHOLE_MEASURES: Measures = {
  accounts: 1,
  customers: 2,
  supply_points: 2,
  readings: 4,
  statements: 1,
  statement_total: 11_261,
  transactions: 9,
  opening_balance: 61.5,
  opening_debits: -14,
  opening_credits: 75.5,
  payment_instructions: 1,
  debts: 1,
  documents: 1,
};
