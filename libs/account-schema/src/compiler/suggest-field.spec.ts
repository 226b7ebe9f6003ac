import { Account } from '../contract/account';
import { ScheduleAccountRequest, TransactionsRequest } from '../contract/requests';
import { suggestField } from './suggest-field';

describe('the documented name for an ignored field', () => {
  it.each([
    ['customer', 'customers'],
    ['customers.0.e_mail', 'email'],
    ['customers.12.familyName', 'family_name'],
    ['billing_address.post_code', 'postal_code'],
    ['supply_addresses.0.meter_points.1.meter', 'meters'],
  ])('%s of an account is %s', (path, expected) => {
    expect(suggestField(path, Account)).toBe(expected);
  });

  it.each([
    ['task_param', 'task_params'],
    ['task_params.is_dryrun', 'is_dry_run'],
  ])('%s beside an account is %s', (path, expected) => {
    expect(suggestField(path, ScheduleAccountRequest)).toBe(expected);
  });

  it('is looked for in every variant of a transaction', () => {
    expect(suggestField('transactions.3.line_item', TransactionsRequest)).toBe('line_items');
    expect(suggestField('transactions.3.paymentType', TransactionsRequest)).toBe('payment_type');
  });

  it.each([
    'favourite_colour',
    'unknown.customers',
    'x1.customer',
    '1x.customer',
    'customers.0.a.b',
    '',
    '.',
    '__proto__.x',
  ])('is missing for %j', (path) => {
    expect(suggestField(path, Account)).toBeUndefined();
  });
});
