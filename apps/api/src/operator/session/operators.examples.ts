/** An example of `Operator`. */
export const exampleOperator = {
  name: 'grace',
  role: 'operator',
  is_disabled: false,
  has_totp: true,
  must_change_password: false,
  sign_in: 'password',
  created_at: '2026-11-22T09:30:00.123456+00:00',
  last_login_at: '2026-11-22T16:59:11.000000+00:00',
};
