import { validateAccount } from '../../src/validate';
import { core } from '../context';
import { ADDRESS, OTHER_ADDRESS } from './cases/parts';
import type { Account } from './settings';

const IDENTITY = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };

function read(account: Account): unknown {
  const result = validateAccount({ ...IDENTITY, ...account }, core);
  return result.ok ? result.value : result.errors;
}

describe('the importer', () => {
  const occupier = { account_type: 'DOMESTIC_OCCUPIER', supply_addresses: [ADDRESS] };

  it("sets an occupier's billing address to the supply address", () => {
    expect(read(occupier)).toEqual({
      ...IDENTITY,
      ...occupier,
      billing_address1: '4 Weir Cottages',
      billing_postcode: 'NN99 9ZZ',
    });
  });

  it('keeps the billing address of an occupier', () => {
    const account = { ...occupier, billing_address1: 'Estate office' };
    expect(read(account)).toEqual({ ...IDENTITY, ...account });
  });

  it('does not set the billing address of other accounts', () => {
    const account = { account_type: 'DOMESTIC', supply_addresses: [ADDRESS, OTHER_ADDRESS] };
    expect(read(account)).toEqual({ ...IDENTITY, ...account });
  });

  it('sets the family name of business customers without one, and monthly billing from the first', () => {
    expect(
      read({ account_type: 'BUSINESS', customers: [{ given_name: 'Priya' }, { family_name: 'Marsh' }] }),
    ).toEqual({
      ...IDENTITY,
      account_type: 'BUSINESS',
      customers: [{ given_name: 'Priya', family_name: 'Business' }, { family_name: 'Marsh' }],
      account_billing_options: { period_start_day: 1, period_length: 'MONTHLY' },
    });
  });

  it('normalises the postcode of an address by its country', () => {
    const address = { country: 'GB', street_address: '4 Weir Cottages' };
    expect(read({ billing_address: { ...address, postal_code: 'nn999zz' } })).toEqual({
      ...IDENTITY,
      billing_address: { ...address, postal_code: 'NN99 9ZZ' },
    });
  });

  it('changes nothing else and does not modify the payload', () => {
    const account = { account_type: 'BUSINESS', customers: [{ given_name: 'Priya' }] };
    const before = structuredClone(account);
    read(account);
    expect(account).toEqual(before);
  });
});
