import { validateAccount } from '../../src/validate';
import { core } from '../context';
import { payment, SCHEDULE } from './cases/parts';
import type { Account } from './settings';

function pairs(account: Account, context = core): string[] {
  const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };
  const result = validateAccount({ ...identity, ...account }, context);
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
}

const UNDATED = { ...SCHEDULE, frequency: undefined };

describe('rules on a payload with field errors', () => {
  it('report nothing if they read an invalid value', () => {
    expect(
      pairs({
        transfer_balance: 'ten',
        last_statement_balance: '5.00',
        current_statement_transactions: [payment('C1', '2024-06-02')],
      }),
    ).toEqual(['transfer_balance invalid']);
  });

  it('still run on other objects of the same kind', () => {
    const schedules = [
      { ...UNDATED, ledger_code: 'MAIN', trigger: 7 },
      { ...UNDATED, ledger_code: 'SERVICES' },
    ];
    expect(pairs({ payment_schedules: schedules })).toEqual([
      'payment_schedules.0.trigger invalid_choice',
      'payment_schedules.1.frequency fixed_payment_schedule_missing_frequency',
    ]);
  });

  it('still run on other members of a list with an invalid member', () => {
    expect(
      pairs({
        current_statement_transactions: [
          null,
          { transaction_id: 'C0', type: 'GIFT' },
          payment('C1', '2026-01-16'),
          'x',
        ],
      }),
    ).toEqual([
      'current_statement_transactions.0 null',
      'current_statement_transactions.1.type invalid_choice',
      'current_statement_transactions.2.transaction_date transaction_in_future',
      'current_statement_transactions.3.non_field_errors invalid',
    ]);
  });

  it('report nothing about a missing required field, and read the other fields', () => {
    expect(pairs({ notes: [{ body: 7 }], dunning_path: { start_date: '2020-01-01' } })).toEqual([
      'dunning_path.path_name required',
      'dunning_path.start_date date_in_past',
    ]);
  });

  it('read other values in their canonical form', () => {
    expect(pairs({ billing_email: 'x', transfer_balance: 10, last_statement_balance: '10.0' })).toEqual([
      'billing_email invalid',
    ]);
  });

  it('report nothing about a long list of values with an invalid one, which a later step reads', () => {
    const identifiers = Array.from({ length: 100 }, (_, i) => (i === 80 ? null : `M${i}`));
    const ledgers = [{ identifiers }];
    expect(pairs({ ledgers })).toEqual(['ledgers.0.identifiers.80 null']);
  });

  it('do not change the payload', () => {
    const account = { notes: [{}], customers: [{ landline: 'abcde' }, null] };
    const before = structuredClone(account);
    pairs(account);
    expect(account).toEqual(before);
  });
});
