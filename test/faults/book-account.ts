import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mpan, mprn } from '../../apps/importer/src/sample/check-digits';

const EXAMPLES = join(__dirname, '..', '..', 'libs', 'account-schema', 'test', 'examples');
const DUAL_FUEL = readFileSync(join(EXAMPLES, '01-domestic-dual-fuel.json'), 'utf8');

/**
 * The contract's dual fuel account, which fills nearly every part of the schema. The accounts differ only in their unique
 * numbers, so each must have the same number of rows.
 */
export function bookAccount(externalAccountNumber: string, serial: number): string {
  const digits = String(serial).padStart(7, '0');
  return DUAL_FUEL.replaceAll('LEGACY_A', 'LEGACY')
    .replaceAll('A-100231', externalAccountNumber)
    .replaceAll('W-88-1021', `W-${externalAccountNumber}`)
    .replaceAll('1000000000110', mpan(`10000${digits}`))
    .replaceAll('9900010107', mprn(`9${digits}`));
}

/** What one account of the book counts in a reconciliation. */
export const BOOK_ACCOUNT_MEASURES = {
  accounts: 1,
  customers: 2,
  supply_points: 2,
  statements: 1,
  transactions: 9,
  opening_balance: 61.5,
  payment_instructions: 1,
  debts: 1,
};
