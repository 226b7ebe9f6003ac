import {
  AccountImportRepository,
  type LookupScope,
  type NewAccount,
  type ProcessVersion,
} from '@portage/database';
import { DataSource } from 'typeorm';
import { account } from '@portage/testing';
import { newAccountWith, startApplication, type TestApplication } from '@portage/testing/application';
import { Organisations } from '../access/organisations';
import { ImportSuppliers } from '../suppliers/import-suppliers';
import { LookupBatches } from './lookup-batches';
import { ScheduleAccount } from './schedule-account';
import { StoredAccountLookups } from './stored-account-lookups';

describe('what rules ask of stored accounts', () => {
  let test: TestApplication;
  let lookups: StoredAccountLookups;
  let itself: StoredAccountLookups;
  let stranger: StoredAccountLookups;

  const stored = (supplierId: number): NewAccount =>
    newAccountWith('A-00000001', {
      customer: [
        {
          ...{
            position: 0,
            user_identifier: null,
            title: null,
            mobile: null,
            landline: null,
            date_of_birth: null,
          },
          given_name: 'Maeve',
          family_name: 'Aldous',
          email: 'M.Aldous@example.org',
          details: { portfolio_roles: ['ADMIN'], account_roles: ['CARER'], role: 'FRIEND' },
        },
        {
          ...{
            position: 1,
            user_identifier: null,
            title: null,
            mobile: null,
            landline: null,
            date_of_birth: null,
          },
          given_name: 'Tomas',
          family_name: 'Aldous',
          email: null,
          details: {},
        },
      ],
      account_reference: [{ position: 0, supplier_id: supplierId, namespace: 'portal', value: 'W-1' }],
      debt: [
        { position: 0, cais_reference: 'CAIS-1', details: { agency_name: 'Collectors' } },
        { position: 1, cais_reference: null, details: {} },
      ],
      charged_period: [
        { supply_point_identifier: '1000000000110', start_date: '2025-01-01', end_date: '2025-01-31' },
        { supply_point_identifier: '1000000000110', start_date: '2025-02-01', end_date: '2025-02-28' },
      ],
    });

  beforeAll(async () => {
    test = await startApplication();
    await test.app.get(ScheduleAccount).schedule(test.caller, account('stored'));
    const [job] = await test.app
      .get(DataSource)
      .query<ProcessVersion[]>('SELECT id AS "processId", version FROM import_process');
    const imports = test.app.get(AccountImportRepository);
    const [started] = await imports.start([job!]);
    await imports.create([{ started: started!, account: stored(test.supplier.id) }]);

    const other = await test.app.get(Organisations).create('Somebody else');
    const theirs = await test.app.get(ImportSuppliers).create('THEIRS', 'Somebody else', {});
    const batches = test.app.get(LookupBatches);
    const scope = { organisationId: test.organisationId, supplierId: test.supplier.id };
    const lookupsWithin = (one: LookupScope) =>
      new StoredAccountLookups(batches, one, () => Promise.resolve(new Set()));
    lookups = lookupsWithin({ ...scope, externalAccountNumber: 'asking' });
    itself = lookupsWithin({ ...scope, externalAccountNumber: 'stored' });
    stranger = lookupsWithin({
      organisationId: other.id,
      supplierId: theirs.id,
      externalAccountNumber: 'asking',
    });
  });
  afterAll(async () => {
    await test.app.close();
  });

  const ask = async (of: StoredAccountLookups) => ({
    cais: [...(await of.caisReferencesInUse(['CAIS-0', 'CAIS-1']))],
    references: [
      ...(await of.accountReferencesInUse([
        { namespace: 'portal', value: 'W-0' },
        { namespace: 'portal', value: 'W-1' },
        { namespace: 'desk', value: 'W-1' },
      ])),
    ],
    roles: [...(await of.rolesHeldBy(['m.aldous@EXAMPLE.org', 'nobody@example.org']))],
    periods: [...(await of.chargedPeriods(['1000000000110', '1000000000129']))],
  });

  it('is answered from other accounts of the organisation', async () => {
    expect(await ask(lookups)).toEqual({
      cais: ['CAIS-1'],
      references: [1],
      roles: [
        ['m.aldous@EXAMPLE.org', ['ADMIN', 'CARER', 'FRIEND']],
        ['nobody@example.org', []],
      ],
      periods: [
        [
          '1000000000110',
          [
            { start_date: '2025-01-01', end_date: '2025-01-31' },
            { start_date: '2025-02-01', end_date: '2025-02-28' },
          ],
        ],
      ],
    });
  });

  const nothing = {
    cais: [],
    references: [],
    roles: [
      ['m.aldous@EXAMPLE.org', []],
      ['nobody@example.org', []],
    ],
    periods: [],
  };

  it('is answered to each of many that ask at once, as if it were alone', async () => {
    const asking = Array.from({ length: 10 }, () => [lookups, itself, stranger]).flat();
    const alone = new Map<StoredAccountLookups, unknown>();
    for (const one of [lookups, itself, stranger]) alone.set(one, await ask(one));
    const answers = await Promise.all(asking.map(ask));
    expect(answers).toEqual(asking.map((one) => alone.get(one)));
  });

  it('is not answered from the account that asks', async () => {
    expect(await ask(itself)).toEqual(nothing);
  });

  it('tells another organisation nothing', async () => {
    expect(await ask(stranger)).toEqual(nothing);
  });
});
