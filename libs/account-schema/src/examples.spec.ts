import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { core, gbEnergy } from '../test/context';
import { Account } from './contract/account';
import { validateObject } from './validate';

function example(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '../test/examples', `${name}.json`), 'utf8'));
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
});
