import { str } from 'envalid';
import { providerUrl } from '../provider-url';
import { integer, optional, secret } from '../validators';

export const operatorSettings = {
  OPERATOR_SESSION_IDLE_MINUTES: integer({
    min: 1,
    max: 1_440,
    default: 30,
    desc: 'Minutes without a request after which the session of an operator ends, in the console and in Bull Board.',
  }),
  OPERATOR_SESSION_HOURS: integer({
    min: 1,
    max: 168,
    default: 12,
    desc: 'Hours after the login at which the session of an operator ends, however much it is used.',
  }),
  OPERATOR_SECRETS_KEY: secret(32)({
    ...optional,
    desc: 'Secret from which the key is derived that encrypts the secrets of second factors (TOTP), at least 32 characters, the same on every API instance. Required for second factors in production: without it none can be enrolled, and operators with one cannot sign in. Default: generated under PORTAGE_DIR.',
  }),
  OPERATOR_OIDC_ISSUER: providerUrl({
    ...optional,
    desc: 'Issuer of OpenID Connect with which operators can sign in, such as https://login.example.com/realms/staff. Starts with https://, or with http:// on this machine. The provider must allow the redirect to https://<host>/operator/v1/session/openid-connect/callback. Default: operators sign in with passwords only.',
  }),
  OPERATOR_OIDC_CLIENT_ID: str({
    ...optional,
    desc: 'Client id of Portage at the issuer. Required with OPERATOR_OIDC_ISSUER.',
  }),
  OPERATOR_OIDC_CLIENT_SECRET: secret(8)({
    ...optional,
    desc: 'Client secret of Portage at the issuer. Required with OPERATOR_OIDC_ISSUER.',
  }),
  OPERATOR_OIDC_ROLE_CLAIM: str({
    default: 'groups',
    desc: 'Claim of the ID token that gives the role: portage-viewer, portage-operator or portage-admin, alone or in a list. The highest one holds. Without one of them a sign-in is refused.',
  }),
};
