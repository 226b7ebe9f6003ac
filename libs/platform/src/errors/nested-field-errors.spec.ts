import { nestFieldErrors } from './nested-field-errors';

const error = (attr: string, detail = attr.toUpperCase()) => ({ attr, detail, code: 'invalid' });

describe('validation errors shaped like the payload', () => {
  const payload = {
    customers: [{}, { email: 'x' }, { contacts: [{}, {}] }],
    billing_address: { postcode: 'x' },
    tags: ['a', 'b'],
    contact: null,
  };

  it.each([
    ['a field', [error('name')], { name: ['NAME'] }],
    ['several messages', [error('name', 'one'), error('name', 'two')], { name: ['one', 'two'] }],
    ['a nested field', [error('billing_address.postcode', 'no')], { billing_address: { postcode: ['no'] } }],
    ['a member of a list', [error('customers.1.email', 'no')], { customers: [{}, { email: ['no'] }] }],
    [
      'a list in a list',
      [error('customers.2.contacts.1.email', 'no')],
      { customers: [{}, {}, { contacts: [{}, { email: ['no'] }] }] },
    ],
    ['a whole member', [error('customers.1', 'null')], { customers: [{}, ['null']] }],
    ['a whole list', [error('customers', 'too long')], { customers: ['too long'] }],
    ['a text in a list', [error('tags.1', 'no')], { tags: [{}, ['no']] }],
    ['the account', [error('non_field_errors', 'no')], { non_field_errors: ['no'] }],
    [
      'an object as a whole',
      [error('billing_address.non_field_errors', 'no'), error('billing_address', 'nor this')],
      { billing_address: { non_field_errors: ['nor this', 'no'] } },
    ],
    [
      'a list and its members',
      [error('customers', 'too long'), error('customers.0.email', 'no')],
      { customers: [{ email: ['no'] }], non_field_errors: ['customers: too long'] },
    ],
    ['the eleventh of a list', [error('tags.10', 'no')], { tags: [...Array(10).fill({}), ['no']] }],
    ['a list by its name', [error('tags.non_field_errors', 'no')], { tags: { non_field_errors: ['no'] } }],
    ['a field of what is null', [error('contact.name', 'no')], { contact: { name: ['no'] } }],
    ['a missing list', [error('ledgers.0.code', 'no')], { ledgers: { '0': { code: ['no'] } } }],
  ])('have messages about %s', (_what, errors, expected) => {
    expect(nestFieldErrors(errors, payload)).toEqual(expected);
  });

  it('treat a large number as a position only in a list of that length', () => {
    const nested = nestFieldErrors([error('extra.999999999.a', 'no')], { extra: { 999999999: {} } });
    expect(nested).toEqual({ extra: { '999999999': { a: ['no'] } } });
  });

  it('have any field name as an ordinary member', () => {
    const nested = nestFieldErrors([error('__proto__.x', 'no'), error('constructor', 'no')], {});
    expect(Object.keys(nested)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
