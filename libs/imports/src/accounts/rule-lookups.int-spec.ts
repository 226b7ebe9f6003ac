import type { LookupScope, NewAccount } from '@portage/accounts';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { account } from '@portage/testing';
import { newAccountWith, processesOf, scheduleAccount, useApplication } from '@portage/testing/application';
import { AccountImportRepository } from './account-import.repository';
import { RuleLookups } from './rule-lookups';
import { StoredLookups } from './stored-lookups';

const period = (supplyPoint: string, start_date: string, end_date: string) => ({
  supplyPoint,
  start_date,
  end_date,
});

describe('the lookups of the database rules', () => {
  const test = useApplication();
  let ofOtherAccount: RuleLookups;
  let ofSameAccount: RuleLookups;
  let ofOtherOrganisation: RuleLookups;

  const stored = (organisationId: number, supplierId: number): NewAccount =>
    newAccountWith('A-00000001', {
      held_role: ['ADMIN', 'CARER', 'FRIEND'].map((role) => ({
        organisationId,
        email: 'm.aldous@example.org',
        role,
      })),
      account_reference: [{ position: 0, supplierId, namespace: 'portal', value: 'W-1' }],
      debt: [
        { position: 0, organisationId, caisReference: 'CAIS-1', details: { agency_name: 'Collectors' } },
        { position: 1, organisationId, caisReference: null, details: {} },
      ],
      charged_period: [
        {
          organisationId,
          supplyPointIdentifier: '1000000000110',
          startDate: '2025-01-01',
          endDate: '2025-01-31',
        },
        {
          organisationId,
          supplyPointIdentifier: '1000000000110',
          startDate: '2025-02-01',
          endDate: '2025-02-28',
        },
      ],
    });

  beforeAll(async () => {
    await scheduleAccount(test, test.caller, account('stored'));
    const [job] = await processesOf(test, 'stored');
    const imports = test.app.get(AccountImportRepository);
    const [started] = await imports.start([job!]);
    await imports.create([{ started: started!, account: stored(test.organisationId, test.supplier.id) }]);

    const other = await test.app.get(Organisations).create('Other Ltd');
    const otherSupplier = await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
    const batches = test.app.get(StoredLookups);
    const scope = { organisationId: test.organisationId, supplierId: test.supplier.id };
    const lookupsWithin = (lookupScope: LookupScope) =>
      new RuleLookups(batches, lookupScope, () => Promise.resolve(new Set()));
    ofOtherAccount = lookupsWithin({ ...scope, externalAccountNumber: 'new' });
    ofSameAccount = lookupsWithin({ ...scope, externalAccountNumber: 'stored' });
    ofOtherOrganisation = lookupsWithin({
      organisationId: other.id,
      supplierId: otherSupplier.id,
      externalAccountNumber: 'new',
    });
  });

  const runAll = async (of: RuleLookups) => ({
    cais: [...(await of.caisReferencesInUse(['CAIS-0', 'CAIS-1']))],
    references: [
      ...(await of.accountReferencesInUse([
        { namespace: 'portal', value: 'W-0' },
        { namespace: 'portal', value: 'W-1' },
        { namespace: 'desk', value: 'W-1' },
      ])),
    ],
    roles: [...(await of.rolesHeldBy(['m.aldous@EXAMPLE.org', 'unknown@example.org']))],
    periods: [
      ...(await of.chargedPeriods([
        period('1000000000110', '2025-01-31', '2025-01-31'),
        period('1000000000110', '2025-03-01', '2025-12-31'),
        period('1000000000129', '2025-01-01', '2025-12-31'),
        period('1000000000110', '2024-01-01', '2025-01-01'),
      ])),
    ],
  });

  it('find other accounts of the organisation', async () => {
    expect(await runAll(ofOtherAccount)).toEqual({
      cais: ['CAIS-1'],
      references: [1],
      roles: [
        ['m.aldous@EXAMPLE.org', ['ADMIN', 'CARER', 'FRIEND']],
        ['unknown@example.org', []],
      ],
      periods: [
        [0, { start_date: '2025-01-01', end_date: '2025-01-31' }],
        [3, { start_date: '2025-01-01', end_date: '2025-01-31' }],
      ],
    });
  });

  const NO_FINDINGS = {
    cais: [],
    references: [],
    roles: [
      ['m.aldous@EXAMPLE.org', []],
      ['unknown@example.org', []],
    ],
    periods: [],
  };

  it('return the same findings in a batch as alone', async () => {
    const concurrent = Array.from({ length: 10 }, () => [
      ofOtherAccount,
      ofSameAccount,
      ofOtherOrganisation,
    ]).flat();
    const alone = new Map<RuleLookups, unknown>();
    for (const one of [ofOtherAccount, ofSameAccount, ofOtherOrganisation]) alone.set(one, await runAll(one));
    const answers = await Promise.all(concurrent.map(runAll));
    expect(answers).toEqual(concurrent.map((one) => alone.get(one)));
  });

  it('do not find the account itself', async () => {
    expect(await runAll(ofSameAccount)).toEqual(NO_FINDINGS);
  });

  it('do not find accounts of another organisation', async () => {
    expect(await runAll(ofOtherOrganisation)).toEqual(NO_FINDINGS);
  });
});
