import { OPERATOR_ROLES } from '@portage/domain';

const moment = { type: 'string', format: 'date-time' };
const role = { type: 'string', enum: [...OPERATOR_ROLES] };
const name = { type: 'string', description: 'In lower case.' };

/** An object whose members are all required, except those in `optional`. */
const objectOf = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((property) => !optional.includes(property)),
  properties,
});

const operator = objectOf({
  name,
  role,
  is_disabled: { type: 'boolean' },
  has_totp: { type: 'boolean', description: 'True if a login needs the code of an authenticator.' },
  must_change_password: { type: 'boolean', description: 'True while the password is a one-time password.' },
  sign_in: { type: 'string', enum: ['password', 'openid-connect'] },
  created_at: moment,
  last_login_at: { ...moment, type: ['string', 'null'] },
});

/** The schemas of sessions and operators. */
export const sessionSchemas = {
  Session: objectOf({
    operator: objectOf({
      name,
      role,
      has_totp: { type: 'boolean' },
      must_change_password: {
        type: 'boolean',
        description: 'While true, the session can do nothing but choose a password and end.',
      },
    }),
    csrf_token: { type: 'string', description: 'Changing requests send it as X-CSRF-Token.' },
    expires_at: { ...moment, description: 'End of the session, however much it is used.' },
    idle_expires_at: { ...moment, description: 'End of the session without a further request.' },
  }),
  LoginRequest: objectOf(
    {
      name: { type: 'string' },
      password: { type: 'string' },
      totp: { type: ['string', 'null'], description: 'The code of the authenticator, six digits.' },
    },
    ['totp'],
  ),
  SignInMethods: objectOf({
    password: { type: 'boolean' },
    openid_connect: {
      anyOf: [
        objectOf({
          name: { type: 'string', description: 'The host name of the provider.' },
          start_url: {
            type: 'string',
            description:
              'The browser goes here, with the page to go to afterwards as `next`. The answer redirects to the provider.',
          },
        }),
        { type: 'null' },
      ],
    },
  }),
  ChangePasswordRequest: objectOf({
    current_password: { type: 'string' },
    new_password: { type: 'string', minLength: 12, maxLength: 256 },
  }),
  EnrolledTotp: objectOf({
    secret: { type: 'string', description: 'In base 32. Shown once.' },
    uri: { type: 'string', description: 'The same for a QR code.' },
  }),
  ConfirmTotpRequest: objectOf({ code: { type: 'string', description: 'Six digits.' } }),
  RemoveTotpRequest: objectOf({ password: { type: 'string' } }),
  Operator: operator,
  OperatorList: objectOf({
    items: { type: 'array', items: { $ref: '#/components/schemas/Operator' } },
    next_cursor: { type: 'null' },
  }),
  OperatorWithPassword: objectOf({
    operator: { $ref: '#/components/schemas/Operator' },
    one_time_password: {
      type: 'string',
      description: 'Valid for 7 days, and for one login that chooses another one. Shown once.',
    },
  }),
  CreateOperatorRequest: objectOf({ name: { type: 'string' }, role }),
  ChangeOperatorRequest: objectOf({ role, is_disabled: { type: 'boolean' } }, ['role', 'is_disabled']),
};

/** The name of a schema of this file. */
export type SessionSchema = keyof typeof sessionSchemas;
