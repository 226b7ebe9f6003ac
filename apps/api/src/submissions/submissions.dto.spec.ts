import { readByClass } from '../../test/read-by-class';
import { OpenSubmissionRequest } from './submissions.dto';

const BODY = { import_supplier: 'LEGACY', reference: 'book-1' };

const read = (body: object) => readByClass('body', OpenSubmissionRequest, body);

describe('the body that opens a submission', () => {
  it.each([
    [{}, BODY],
    [{ import_supplier: ' LEGACY', reference: ' book-1 ' }, BODY],
    [
      { expected: null, task_params: null },
      { ...BODY, expected: null, task_params: null },
    ],
    [
      { expected: { accounts: 3, debts: null, opening_balance: -12.5 } },
      { ...BODY, expected: { accounts: 3, opening_balance: '-12.50' } },
    ],
    [
      { task_params: { is_dry_run: true, schedule_window_start: '2026-11-24' } },
      { ...BODY, task_params: { is_dry_run: true, schedule_window_start: '2026-11-24' } },
    ],
  ])('may have %j', (change, expected) => {
    expect(read({ ...BODY, ...change })).toEqual(expected);
  });

  it.each([
    [{ import_supplier: undefined }, ['import_supplier: required']],
    [{ reference: undefined }, ['reference: required']],
    [{ kind: 'pears' }, ['kind: invalid_choice']],
    [{ mode: 'pears' }, ['mode: invalid_choice']],
    [{ reference: 7 }, ['reference: invalid']],
    [{ reference: ' ' }, ['reference: invalid']],
    [{ reference: 'a\u202eb' }, ['reference: invalid']],
    [{ reference: 'a'.repeat(129) }, ['reference: invalid']],
    [{ expected: [] }, ['expected.non_field_errors: invalid']],
    [
      { expected: { accounts: -1, customers: '3', debts: 1.5, opening_balance: '1.234' } },
      [
        'expected.accounts: invalid',
        'expected.customers: invalid',
        'expected.debts: invalid',
        'expected.opening_balance: invalid',
      ],
    ],
    [{ expected: { acounts: 1 } }, ['expected.acounts: unknown_field']],
    [{ task_params: 'x' }, ['task_params.non_field_errors: invalid']],
    [{ task_params: { is_dry_run: 'x' } }, ['task_params.is_dry_run: invalid']],
    [{ task_params: { dry_run: true } }, ['task_params.dry_run: unknown_field']],
    [{ refrence: 'x' }, ['refrence: unknown_field']],
  ])('is refused with %j', (change, errors) => {
    expect(read({ ...BODY, ...change })).toEqual(errors);
  });
});
