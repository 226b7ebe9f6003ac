import { core } from '../test/context';
import { Account } from './account/account';
import type { SchemaContext } from './context';
import { validateObject } from './validate';

const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };

function pairs(input: unknown, changes: Partial<SchemaContext> = {}): string[] {
  const result = validateObject(Account, input, { ...core, ...changes });
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
}

describe('the field checks of an account', () => {
  it('accept an account with only its identifying fields', () => {
    expect(validateObject(Account, identity, core)).toEqual({ ok: true, value: identity, ignoredFields: [] });
  });

  it('convert values to their canonical form', () => {
    const result = validateObject(
      Account,
      {
        import_supplier: 'LEGACY_A',
        external_account_number: 100231,
        billing_address1: '  4 Weir Cottages ',
        billing_postcode: 'nn999zz',
        billing_email: '',
        customers: [{ landline: '0121 234 5678', colour: 'red' }],
      },
      core,
    );
    expect(result).toEqual({
      ok: true,
      value: {
        import_supplier: 'LEGACY_A',
        external_account_number: '100231',
        billing_address1: '4 Weir Cottages',
        billing_postcode: 'NN99 9ZZ',
        customers: [{ landline: '+441212345678' }],
      },
      ignoredFields: ['customers.0.colour'],
    });
  });

  it('report all errors at once, in the order of the payload, missing fields first', () => {
    expect(
      pairs({
        customers: [{ landline: 'abcde', date_of_birth: '2023-02-29' }, null, 7],
        billing_address: { postal_code: true },
        import_supplier: null,
        billing_email: 'nobody',
      }),
    ).toEqual([
      'external_account_number required',
      'customers.0.landline invalid_phone_number',
      'customers.0.date_of_birth invalid',
      'customers.1 null',
      'customers.2.non_field_errors invalid',
      'billing_address.country required',
      'billing_address.postal_code invalid',
      'import_supplier null',
      'billing_email invalid',
    ]);
  });

  it('reject undocumented fields if the context requires it', () => {
    expect(pairs({ ...identity, a: 1, customers: [{ b: 2 }] }, { rejectUndocumentedFields: true })).toEqual([
      'a unknown_field',
      'customers.0.b unknown_field',
    ]);
  });

  it('report at the limit that there are more errors', () => {
    const customers = Array.from({ length: 50 }, () => ({ landline: 'x' }));
    const found = pairs({ ...identity, customers }, { limits: { ...core.limits, errors: 3 } });
    expect(found).toEqual([
      'customers.0.landline invalid_phone_number',
      'customers.1.landline invalid_phone_number',
      'non_field_errors too_many_errors',
    ]);
  });

  it.each([[null], [[]], ['text'], [7]])('reject %j as an account', (input) => {
    expect(pairs(input)).toEqual(['non_field_errors invalid']);
  });
});
