import { describe } from './describe';

const operator = {
  ...{ name: 'grace', role: 'operator', is_disabled: false, has_totp: true, must_change_password: false },
  sign_in: 'password',
  ...{ created_at: '2026-11-22T09:30:00.123456+00:00', last_login_at: '2026-11-22T16:59:11.000000+00:00' },
};
const created = { ...operator, has_totp: false, must_change_password: true, last_login_at: null };
const withPassword = { operator: created, one_time_password: 'w7k2m-4xq9p-aa8nd-t3vzc' };
const NAME = { name: { description: 'The name of the operator', example: 'grace' } };

/** Describes the list of operators. */
export const DescribeListOperators = () =>
  describe({
    ...{ tag: 'Operators', operationId: 'listOperators', summary: 'List the operators', status: 200 },
    description: 'All of them, in the order of creation.',
    answer: 'The operators.',
    content: ['OperatorList', { items: [operator], next_cursor: null }],
  });

/** Describes the creation of an operator. */
export const DescribeCreateOperator = () =>
  describe({
    ...{ tag: 'Operators', operationId: 'createOperator', summary: 'Create an operator', status: 201 },
    description: 'With a one-time password, which the operator changes at the first login.',
    body: ['CreateOperatorRequest', { operator: { name: 'grace', role: 'operator' } }],
    answer: 'The operator, with the one-time password.',
    content: ['OperatorWithPassword', withPassword],
    errors: ['validation_error'],
  });

/** Describes the change of an operator. */
export const DescribeChangeOperator = () =>
  describe({
    ...{ tag: 'Operators', operationId: 'changeOperator', summary: 'Change an operator', status: 200 },
    description:
      'A role holds at the next request of the operator. Disabling ends the sessions at once. The last admin keeps the role and stays enabled.',
    params: NAME,
    body: ['ChangeOperatorRequest', { role: { role: 'viewer' }, disabled: { is_disabled: true } }],
    answer: 'The operator.',
    content: ['Operator', operator],
    errors: ['validation_error', 'not_found'],
  });

/** Describes the reset of a password. */
export const DescribeResetPassword = () =>
  describe({
    ...{ tag: 'Operators', operationId: 'resetPassword', summary: 'Reset a password', status: 200 },
    description:
      'Gives the operator a one-time password, removes the second factor and ends the sessions of the operator.',
    params: NAME,
    answer: 'The operator, with the one-time password.',
    content: ['OperatorWithPassword', withPassword],
    errors: ['validation_error', 'not_found'],
  });
