import { describe } from './describe';

const session = {
  operator: { name: 'ada', role: 'admin', has_totp: false, must_change_password: false },
  csrf_token: 'Jm3zUbhx0yTzEjiHs3jYbgH6jV6wq1fJ0o0kC1oY2bA',
  expires_at: '2026-11-23T05:00:00.000Z',
  idle_expires_at: '2026-11-22T17:30:00.000Z',
};

/** Describes the login with a password. */
export const DescribeLogIn = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'logIn', summary: 'Sign in with a password', status: 201 },
    description:
      'Sets the cookie of the session: HttpOnly, SameSite=Strict, and Secure except for http to this machine. The session that the client had ends. The answer is the same for a wrong password, an unknown name and a disabled operator. Wrong passwords are limited by address and by name.',
    body: [
      'LoginRequest',
      {
        password: { name: 'ada', password: 'correct horse battery staple' },
        code: { name: 'ada', password: 'correct horse battery staple', totp: '287082' },
      },
    ],
    answer: 'The session.',
    content: ['Session', session],
    errors: ['validation_error', 'operator_login_failed', 'totp_required', 'csrf_token_invalid', 'throttled'],
  });

/** Describes the current session. */
export const DescribeSession = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'readSession', summary: 'Read the session', status: 200 },
    description: 'The operator, with the role of this moment, and the token for changing requests.',
    answer: 'The session.',
    content: ['Session', session],
  });

/** Describes the logout. */
export const DescribeLogOut = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'logOut', summary: 'Sign out', status: 204 },
    description: 'Ends the session, also its open streams, and makes the browser forget the cookie.',
    answer: 'The session has ended.',
  });

/** Describes the change of the own password. */
export const DescribeChangePassword = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'changePassword', summary: 'Choose another password', status: 204 },
    description:
      'Ends the other sessions of the operator. A password has 12 to 256 characters, at least 5 different ones, and not the name of the operator.',
    body: [
      'ChangePasswordRequest',
      {
        password: {
          current_password: 'w7k2m-4xq9p-aa8nd-t3vzc',
          new_password: 'correct horse battery staple',
        },
      },
    ],
    answer: 'The password is stored.',
    errors: ['validation_error', 'throttled'],
  });

/** Describes the enrolment of a second factor. */
export const DescribeEnrolTotp = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'enrolTotp', summary: 'Set up a second factor', status: 200 },
    description:
      'Makes a secret for an authenticator (TOTP, RFC 6238). Logins need its codes once a code has confirmed it. A secret that was not confirmed is replaced.',
    answer: 'The secret.',
    content: [
      'EnrolledTotp',
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Portage:ada?issuer=Portage&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    ],
    errors: ['validation_error'],
  });

/** Describes the confirmation of a second factor. */
export const DescribeConfirmTotp = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'confirmTotp', summary: 'Confirm the second factor', status: 204 },
    description: 'Each code is accepted once.',
    body: ['ConfirmTotpRequest', { code: { code: '287082' } }],
    answer: 'Further logins need a code.',
    errors: ['validation_error', 'throttled'],
  });

/** Describes the removal of a second factor. */
export const DescribeRemoveTotp = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'removeTotp', summary: 'Remove the second factor', status: 204 },
    description: 'An admin can remove it by resetting the password.',
    body: ['RemoveTotpRequest', { password: { password: 'correct horse battery staple' } }],
    answer: 'Further logins need no code.',
    errors: ['validation_error', 'throttled'],
  });
