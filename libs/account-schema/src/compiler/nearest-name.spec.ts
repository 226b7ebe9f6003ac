import { findNearestName } from './nearest-name';

const NAMES = ['customers', 'external_account_number', 'email', 'note', 'notes', 'billing_address1', 'id'];

describe('the documented name for an undocumented one', () => {
  it.each([
    ['customer', 'customers'],
    ['Customers', 'customers'],
    ['custmoers', 'customers'],
    ['externalAccountNumber', 'external_account_number'],
    ['external-account-numbr', 'external_account_number'],
    ['EMAIL', 'email'],
    ['e_mail', 'email'],
    ['emial', 'email'],
    ['note ', 'note'],
    ['noted', 'note'],
    ['noet', 'note'],
    ['Notes', 'notes'],
    ['customrz', 'customers'],
    ['billing_address_1', 'billing_address1'],
    ['ID', 'id'],
  ])('%s is %s', (name, expected) => {
    expect(findNearestName(name, NAMES)).toBe(expected);
  });

  it.each(['', '_', 'favourite_colour', 'phone', 'ids', 'ib', 'x'.repeat(100_000), '__proto__', '\u0000'])(
    'is missing for %j, because none is near',
    (name) => {
      expect(findNearestName(name, NAMES)).toBeUndefined();
    },
  );

  it.each(['xemai', 'emialx', 'emixl', 'emxal'])('is missing for %s, which differs twice', (name) => {
    expect(findNearestName(name, NAMES)).toBeUndefined();
  });
});
