import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { core, gbEnergy } from '../test/context';
import { Account } from './account/account';
import { NotesRequest } from './request/notes-request';
import { PaymentInstructionRequest } from './request/payment-instruction-request';
import type { SchemaContext } from './context';
import { StatementsRequest } from './request/statements-request';
import { TransactionsRequest } from './request/transactions-request';
import { validateObject } from './validate';

function example(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '../test/examples', `${name}.json`), 'utf8'));
}

function pairs(name: string, context: SchemaContext): string[] {
  const result = validateObject(Account, example(name), context);
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
}

describe('the example accounts', () => {
  it.each(['01-domestic-dual-fuel', '02-minimal', '03-business-two-addresses', '04-unknown-occupier'])(
    '%s passes all field checks without ignored fields',
    (name) => {
      for (const context of [core, gbEnergy]) {
        expect(validateObject(Account, example(name), context)).toMatchObject({
          ok: true,
          ignoredFields: [],
        });
      }
    },
  );

  it('01 is converted to E.164 phone numbers and decimal text, and otherwise unchanged', () => {
    const read = [
      ['"07400123456"', '"+447400123456"'],
      ['"01212345678"', '"+441212345678"'],
      ['"gross_amount":11261', '"gross_amount":"11261"'],
    ].reduce(
      (text, [from = '', to = '']) => text.replace(from, to),
      JSON.stringify(example('01-domestic-dual-fuel')),
    );
    expect(validateObject(Account, example('01-domestic-dual-fuel'), core)).toEqual({
      ok: true,
      value: JSON.parse(read),
      ignoredFields: [],
    });
  });

  it('05 fails three field checks under gb-energy', () => {
    expect(pairs('05-ten-broken-rules', gbEnergy)).toEqual([
      'customers.0.landline invalid_phone_number',
      'supply_addresses.0.supply_delivery_point_identifier invalid_delivery_point_identifier',
      'warm_home_discount.0.tax_year incorrect_format_for_tax_year',
    ]);
  });

  it('05 fails two field checks under core', () => {
    expect(pairs('05-ten-broken-rules', core)).toEqual([
      'customers.0.landline invalid_phone_number',
      'supply_addresses.0.supply_delivery_point_identifier invalid_delivery_point_identifier',
    ]);
  });

  it('06 passes all field checks: its errors are between fields', () => {
    expect(pairs('06-broken-account-rules', gbEnergy)).toEqual([]);
  });
});

describe('the example bodies of after-import requests', () => {
  it.each([
    ['notes', NotesRequest],
    ['transactions', TransactionsRequest],
    ['historical-statements', StatementsRequest],
    ['payment-instruction', PaymentInstructionRequest],
  ])('%s are valid', (name, type) => {
    const body = example(`post-import/${name}`);
    expect(validateObject<object>(type, body, core)).toMatchObject({ ok: true, ignoredFields: [] });
  });
});
