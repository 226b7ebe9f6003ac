import { ImportSupplierDirectory, ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import { useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { AccountValidation } from './account-validation';

const test = useApplication('postgres', { MAX_ERRORS: '5' }, WITHOUT_CACHES);

const check = async (payload: Record<string, unknown>) => {
  const supplier = await test.app.get(ImportSupplierDirectory).find(test.organisationId, 'LEGACY');
  return test.app.get(AccountValidation).check(supplier, payload);
};

describe('undocumented fields of an account', () => {
  it('are ignored and named', async () => {
    expect(await check(account(undefined, { comment: 'test' }))).toMatchObject({
      ok: true,
      ignoredFields: ['comment'],
    });
  });

  it('are one error each if the supplier rejects them, and no more than MAX_ERRORS', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { rejectUndocumentedFields: true });
    const checked = await check(account(undefined, { favourite: 'blue' }));
    expect(checked).toMatchObject({ ok: false, ignoredFields: [] });
    expect('errors' in checked && checked.errors.map(({ attr, code }) => [attr, code])).toEqual([
      ['favourite', 'unknown_field'],
    ]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`f${place}`, 1]));
    const refused = await check(account(undefined, many));
    expect('errors' in refused && refused.errors).toHaveLength(5);
  });
});
