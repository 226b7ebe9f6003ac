import { ImportSupplierDirectory, ImportSuppliers, supplierCodeOf } from '@portage/tenants';
import { account } from '@portage/testing';
import { useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { parseAccountBody } from './account-body';
import { AccountValidation } from './account-validation';

const test = useApplication('postgres', { MAX_ERRORS: '5' }, WITHOUT_CACHES);

const supplierOf = async (body: Record<string, unknown>) => {
  const code = supplierCodeOf(parseAccountBody(body).payload);
  return code === undefined
    ? undefined
    : test.app.get(ImportSupplierDirectory).find(test.organisationId, code);
};

const check = async (body: Record<string, unknown>) =>
  test.app.get(AccountValidation).check(await supplierOf(body), parseAccountBody(body));

describe('undocumented fields beside the account', () => {
  const body = { payload: account(), task_params: { is_dry_run: true }, comment: 'test' };

  it('are ignored and named', async () => {
    expect(await check(body)).toMatchObject({
      ok: true,
      ignoredFields: ['comment'],
    });
  });

  it('are one error each if the supplier rejects them, after the errors of the account', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { rejectUndocumentedFields: true });
    const checked = await check({ ...body, payload: account(undefined, { favourite: 'blue' }) });
    expect(checked).toMatchObject({ ok: false, ignoredFields: [] });
    expect('errors' in checked && checked.errors.map(({ attr, code }) => [attr, code])).toEqual([
      ['favourite', 'unknown_field'],
      ['comment', 'unknown_field'],
    ]);
  });

  it('are no more errors than MAX_ERRORS', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { rejectUndocumentedFields: true });
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`f${place}`, 1]));
    const checked = await check({ payload: account(), ...many });
    expect('errors' in checked && checked.errors).toHaveLength(5);
  });
});
