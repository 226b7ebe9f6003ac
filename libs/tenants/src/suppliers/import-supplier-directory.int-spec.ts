import { useApplication } from '@portage/testing/application';
import { until } from '@portage/testing/until';
import { ImportSupplierRepository } from './import-supplier.repository';
import { Organisations } from '../access/organisations';
import { ImportSupplierDirectory } from './import-supplier-directory';
import { ImportSuppliers } from './import-suppliers';

describe('a supplier code of another organisation', () => {
  const test = useApplication();
  beforeAll(async () => {
    await test.app.get(Organisations).create('Other Ltd');
    await test.app.get(ImportSuppliers).create('FOREIGN', 'Other Ltd', {});
  });

  it('takes the same steps as a code that no organisation has, so that the time does not tell them apart', async () => {
    const directory = test.app.get(ImportSupplierDirectory);
    const searches = jest.spyOn(test.app.get(ImportSupplierRepository), 'findOwned');
    const otherId = (await test.app.get(ImportSupplierRepository).findByCode('FOREIGN'))!.organisationId;
    // Its own organisation has it in the cache.
    expect(await directory.find(otherId, 'FOREIGN')).toMatchObject({ code: 'FOREIGN' });
    for (const code of ['FOREIGN', 'NOBODYS']) {
      searches.mockClear();
      expect(await directory.find(test.organisationId, code)).toBeUndefined();
      expect(searches.mock.calls).toEqual([[test.organisationId, code]]);
      // A late announcement of the supplier's creation clears the cache.
      await until(async () => {
        searches.mockClear();
        expect(await directory.find(test.organisationId, code)).toBeUndefined();
        return searches.mock.calls.length === 0;
      }, `${code} is not cached.`);
    }
  });

  it('is searched by an index that begins with the organisation', async () => {
    const explained = await test.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM import_supplier WHERE organisation_id = 1 AND code = 'FOREIGN'`,
    );
    expect(explained.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /import_supplier_organisation_code[^]*Index Cond: \(\(organisation_id = 1\) AND \(code = /,
    );
  });
});
