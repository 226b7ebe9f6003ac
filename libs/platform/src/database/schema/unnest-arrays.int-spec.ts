import { ImportedAccountRepository } from '@portage/accounts';
import { useApplication } from '@portage/testing/application';
import { Database } from '../connection/database';

const test = useApplication();

describe('a statement with arrays', () => {
  it('of one member each is planned five times by a connection, and not at every call', async () => {
    const accounts = test.app.get(ImportedAccountRepository);
    for (let call = 0; call < 20; call += 1) {
      await accounts.find([{ supplierId: 1, externalAccountNumber: `A-${call}` }]);
      await accounts.lockSkipLocked(test.app.get(Database), ['1']);
    }
    const plans = await test.sql<{
      name: string;
      custom: number;
    }>(`SELECT name, custom_plans::integer AS custom FROM pg_prepared_statements
         WHERE name IN ('find-imported-accounts', 'lock-accounts-skip-locked') ORDER BY name`);
    expect(plans).toEqual([
      { name: 'find-imported-accounts', custom: 5 },
      { name: 'lock-accounts-skip-locked', custom: 5 },
    ]);
  });
});
