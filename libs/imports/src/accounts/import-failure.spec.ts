import { DatabaseUnavailable } from '@portage/platform';
import { failureOf, failureOfValidation, findObstacle } from './import-failure';

it.each(['created', 'corrected'] as const)(
  'a failure says that the account could not be %s, and what to do',
  (work) => {
    expect(failureOf(new DatabaseUnavailable('away'), work)).toEqual({
      code: 'temporarily_unavailable',
      detail: `The account could not be ${work} for reasons that will pass. Send it again.`,
    });
    expect(failureOf(new Error('a bug'), work)).toEqual({
      code: 'error',
      detail: `The account could not be ${work}. The operator can see why in the log.`,
    });
  },
);

it('a failure of validation has the detail of one error, or up to 20 fields of several', () => {
  const errors = Array.from({ length: 21 }, (_, nth) => ({
    attr: `customers.${nth}.email`,
    code: 'invalid',
    detail: 'Enter an address.',
  }));
  expect(failureOfValidation(errors.slice(0, 1))).toEqual({
    code: 'invalid',
    detail: 'customers.0.email: Enter an address.',
    fields: [{ attr: 'customers.0.email', code: 'invalid' }],
  });
  const { code, detail, fields } = failureOfValidation(errors);
  expect([code, fields?.length]).toEqual(['import_process_failed_validation', 20]);
  expect(detail).toContain('(customers.0.email: invalid, customers.1.email: invalid, ');
});

it('a violated constraint is the error of its field, if it is a known one', () => {
  const violating = (constraint: unknown) => failureOf(Object.assign(new Error(), { constraint }), 'created');
  const attr = 'external_account_number';
  const code = 'account_import_process_already_imported';
  expect(violating('account_external_account_number')).toMatchObject({ code, fields: [{ attr, code }] });
  for (const other of ['account_pkey', undefined]) expect(violating(other)).toMatchObject({ code: 'error' });
});

it.each([
  ['Ongoing', 25, undefined],
  ['Ongoing', 26, 'error'],
  ['Paused', 25, undefined],
  ['Complete', 1, 'import_supplier_migration_not_ongoing'],
] as const)('of a supplier that is %s, run %i ends with %s at its beginning', (status, attempt, code) => {
  expect(findObstacle({ supplier: { status }, attempt })?.code).toBe(code);
});
