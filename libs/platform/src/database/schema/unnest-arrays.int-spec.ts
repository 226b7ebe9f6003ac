import { AccountRequestRepository, ImportedAccountRepository } from '@portage/accounts';
import { AccountImportRepository } from '@portage/imports';
import { useApplication } from '@portage/testing/application';
import { Database } from '../connection/database';

const test = useApplication();

describe('a statement with arrays', () => {
  it('a connection plans a statement with arrays of one member five times, and not at every call', async () => {
    const accounts = test.app.get(ImportedAccountRepository);
    const imports = test.app.get(AccountImportRepository);
    const requests = test.app.get(AccountRequestRepository);
    const version = { processId: '1', version: 1 };
    for (let call = 0; call < 20; call += 1) {
      await accounts.find([{ supplierId: 1, externalAccountNumber: `A-${call}` }]);
      await accounts.lockAll(test.app.get(Database), ['1']);
      await imports.read([version]);
      await imports.start([version]);
      await requests.start(['1'], 'transactions');
    }
    const plans = await test.sql<{
      name: string;
      custom: number;
    }>(`SELECT name, custom_plans::integer AS custom FROM pg_prepared_statements
         WHERE generic_plans + custom_plans >= 20 ORDER BY name`);
    expect(plans).toEqual(
      [
        'find-imported-accounts',
        'lock-account',
        'read-imports',
        'start-account-requests',
        'start-imports',
      ].map((name) => ({ name, custom: 5 })),
    );
  });
});
