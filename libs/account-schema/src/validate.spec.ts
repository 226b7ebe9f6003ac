import { core } from '../test/context';
import { Account } from './contract/account';
import type { SchemaContext } from './context';
import { validateAccount, validateObject } from './validate';

const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };

function pairs(input: unknown, changes: Partial<SchemaContext> = {}): string[] {
  const result = validateObject(Account, input, { ...core, ...changes });
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
}

describe('the field checks of an account', () => {
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

  it('are in the order of the payload where the name of a field has more than 40 characters', () => {
    const settings = { collective_billing: 1, send_collective_bill_constituent_messages: 1 };
    const result = validateAccount({ ...identity, portfolio: { portfolio_settings: settings } }, core);
    const attrs = result.ok ? [] : result.errors.map(({ attr }) => attr);
    expect(attrs.filter((attr) => attr.startsWith('portfolio.portfolio_settings.'))).toEqual([
      'portfolio.portfolio_settings.collective_billing',
      'portfolio.portfolio_settings.send_collective_bill_constituent_messages',
    ]);
  });

  it('reject undocumented fields if the context requires it', () => {
    expect(pairs({ ...identity, a: 1, customers: [{ b: 2 }] }, { rejectUndocumentedFields: true })).toEqual([
      'a unknown_field',
      'customers.0.b unknown_field',
    ]);
  });

  it.each([[null], [[]], ['text'], [7]])('reject %j as an account', (input) => {
    expect(pairs(input)).toEqual(['non_field_errors invalid']);
  });
});
