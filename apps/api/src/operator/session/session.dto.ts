import { AnyTextField } from '../../http/fields';

/** How operators sign in with OpenID Connect. */
export interface OpenIdConnectMethod {
  /** The host name of the provider. */
  name: string;
  /** The browser goes here, with the page to go to afterwards as `next`. The answer redirects to the provider. */
  start_url: string;
}

/** The ways to sign in. */
export interface SignInMethods {
  password: boolean;
  openid_connect: OpenIdConnectMethod | null;
}

/** The body of a login. */
export class LoginRequest {
  @AnyTextField({ required: true })
  name: string;

  @AnyTextField({ required: true })
  password: string;

  @AnyTextField({ nullable: true, description: 'The code of the authenticator, six digits.' })
  totp?: string | null;
}

/** The body that changes the own password. Its use case checks the new one. */
export class ChangePasswordRequest {
  @AnyTextField({ required: true })
  current_password: string;

  @AnyTextField({ required: true, schema: { minLength: 12, maxLength: 256 } })
  new_password: string;
}

/** The first code of a second factor. */
export class ConfirmTotpRequest {
  @AnyTextField({ required: true, description: 'Six digits.' })
  code: string;
}

/** The body that sets up or removes the second factor. */
export class PasswordRequest {
  @AnyTextField({ required: true })
  password: string;
}
