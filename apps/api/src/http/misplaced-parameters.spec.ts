import { findMisplaced } from './misplaced-parameters';
import type { ImportParameters } from './route-config';

const account = { import_supplier: 'A', external_account_number: 'B' };
const found = (body: unknown, takes: ImportParameters | undefined) =>
  findMisplaced(body, { importParameters: takes }).map(({ attr, code }) => `${attr} ${code}`);

describe('a parameter of the import', () => {
  it.each<[string, object, ImportParameters | undefined]>([
    ['task_params beside payload', { payload: account, task_params: { is_dry_run: true } }, 'task_params'],
    ['a bare account', account, 'task_params'],
    ['names that are no parameters', { ...account, drying_run: 1, dry_runs: 1, window: 1 }, 'task_params'],
    ['dry_run of a transactions request', { transactions: [], dry_run: true }, 'dry_run'],
    ['a body whose class refuses unknown members', { dry_run: true }, 'class'],
  ])('is in its place: %s', (_name, body, takes) => {
    expect(found(body, takes)).toEqual([]);
  });

  it.each<[object, ImportParameters | undefined, string[]]>([
    [{ ...account, is_dry_run: true }, 'task_params', ['is_dry_run']],
    [{ ...account, task_params: { is_dry_run: true } }, 'task_params', ['task_params']],
    [{ payload: account, dry_run: true }, 'task_params', ['dry_run']],
    [{ payload: { ...account, is_dry_run: true } }, 'task_params', ['payload.is_dry_run']],
    [{ payload: account, schedule_window_start: null }, 'task_params', ['schedule_window_start']],
    [{ payload: account, task_params: { dry_run: true } }, 'task_params', ['task_params.dry_run']],
    [{ transactions: [], is_dry_run: true }, 'dry_run', ['is_dry_run']],
    [{ transactions: [], dry_run: true, task_params: {} }, 'dry_run', ['task_params']],
    [{ notes: [], dry_run: false }, undefined, ['dry_run']],
    [{ payload: account, task_params: {} }, undefined, ['task_params']],
    [{ payload: account, 'Task-Params': {} }, 'task_params', ['Task-Params']],
    [{ payload: account, taskparams: {} }, 'task_params', ['taskparams']],
    [{ ...account, 'is_dry_run\u200b': true }, 'task_params', ['is_dry_run\u200b']],
    [{ ...account, isDryRun: true, DRYRUN: true }, 'task_params', ['isDryRun', 'DRYRUN']],
    [{ ...account, 'ｉｓ dry\u00a0run': true }, 'task_params', ['ｉｓ dry\u00a0run']],
    [{ notes: [], 'dry-run': true }, undefined, ['dry-run']],
  ])('is misplaced in %j', (body, takes, attrs) => {
    expect(found(body, takes)).toEqual(attrs.map((attr) => `${attr} misplaced_parameter`));
  });

  it('says where it belongs', () => {
    const [error] = findMisplaced({ ...account, dry_run: true }, { importParameters: 'task_params' });
    expect(error?.detail).toBe(
      'It has no effect here. Send it as task_params.is_dry_run: {"payload": ACCOUNT, "task_params": {"is_dry_run": ...}}.',
    );
  });
});

it('an unknown member of task_params is refused, and the errors of many are bounded', () => {
  expect(found({ payload: account, task_params: { is_dryrun: true } }, 'task_params')).toEqual([
    'task_params.is_dryrun unknown_field',
  ]);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
  expect(found({ payload: account, task_params: many }, 'task_params')).toHaveLength(100);
});

it('an unknown member beside payload is refused, whatever its name', () => {
  const body = { payload: account, comment: 'x', __proto__x: 1 };
  expect(found(body, 'task_params')).toEqual(['comment unknown_field', '__proto__x unknown_field']);
  expect(found(JSON.parse('{"payload":{},"__proto__":{"is_dry_run":true}}'), 'task_params')).toEqual([
    '__proto__ unknown_field',
  ]);
});

it('a parameter of the query in the body is misplaced, unless the request is a check', () => {
  const config = { queryParameters: ['check_previously_added'] };
  const body = { transactions: [], checkPreviouslyAdded: false };
  expect(findMisplaced(body, config)).toEqual([
    {
      attr: 'checkPreviouslyAdded',
      code: 'misplaced_parameter',
      detail: 'It has no effect here. Send check_previously_added in the query of the URL.',
    },
  ]);
  expect(findMisplaced(body, { ...config, isCheck: true })).toEqual([]);
});
