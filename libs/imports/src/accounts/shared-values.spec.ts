import { Account } from '@portage/account-schema';
import type { SharedValuesRepository } from '@portage/accounts';
import { Logger } from '@portage/platform';
import { SharedValues } from './shared-values';

const logger = new Logger({ LOG_LEVEL: 'silent' }, { maxDelayMs: 0 });

const sharedValues = (read: SharedValuesRepository['read']) =>
  new SharedValues({ read } as SharedValuesRepository, logger);

const accountOf = (number: string, email: string, supplierId = 1) => ({
  account: Object.assign(new Account(), { customers: [{ email, landline: '+441212345678' }] }) as Account,
  scope: { organisationId: 1, supplierId, externalAccountNumber: number },
});

const codesOf = async (values: SharedValues, batch: readonly ReturnType<typeof accountOf>[]) =>
  (await values.findWarnings(batch)).map((warnings) => warnings.map(({ code }) => code));

describe('the values that an account shares with others', () => {
  const none = async () => Promise.resolve([]);

  it('are counted over the accounts of the batch', async () => {
    const batch = Array.from({ length: 10 }, (_, i) => accountOf(`A-${i}`, 'OFFICE@example.org', i % 2));
    const expected = ['email_address_of_many_accounts', 'phone_number_of_many_accounts'];
    expect(await codesOf(sharedValues(none), batch)).toEqual(batch.map(() => expected));
    expect(await codesOf(sharedValues(none), batch.slice(1))).toEqual(batch.slice(1).map(() => []));
  });

  it('are not counted over the accounts of another organisation', async () => {
    const batch = Array.from({ length: 10 }, (_, i) => accountOf(`A-${i}`, 'office@example.org'));
    batch[0]!.scope.organisationId = 2;
    expect((await codesOf(sharedValues(none), batch)).flat()).toEqual([]);
  });

  it('are compared within the supplier if only one account may have them', async () => {
    const account = Object.assign(new Account(), {
      payment_instructions: [{ vendor: 'GOCARDLESS', reference: 'MD1' }],
      supply_addresses: [{ meter_points: [{ identifier: 'P-1' }] }],
    }) as Account;
    const batch = [
      { ...accountOf('A-1', ''), account },
      { ...accountOf('A-2', ''), account },
      { ...accountOf('A-1', '', 2), account },
    ];
    const expected = ['mandate_of_another_account', 'supply_point_of_another_account'];
    expect(await codesOf(sharedValues(none), batch)).toEqual([expected, expected, []]);
    const stored = async (values: readonly unknown[]) =>
      Promise.resolve(values.map(() => ({ otherAccount: 'A-9', accounts: 1 })));
    const [warnings] = await sharedValues(stored).findWarnings(batch);
    expect(warnings).toMatchObject(
      expected.map((code) => ({ code, detail: expect.stringContaining('"A-9"') as string })),
    );
  });

  it('are counted over stored accounts as well', async () => {
    const stored = async (values: readonly unknown[]) =>
      Promise.resolve(values.map(() => ({ otherAccount: null, accounts: 9 })));
    expect(await codesOf(sharedValues(stored), [accountOf('A-1', 'a@example.org')])).toEqual([
      ['email_address_of_many_accounts'],
    ]);
  });

  it('cost no import if they cannot be read', async () => {
    const failing = async () => Promise.reject(new Error('unavailable'));
    expect(await codesOf(sharedValues(failing), [accountOf('A-1', 'a@example.org')])).toEqual([[]]);
  });
});
