import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  Logger,
  networkOf,
  operatorActor,
  PortageError,
  rememberSuccess,
} from '@portage/platform';
import * as client from 'openid-client';
import type { OperatorEntity } from './operator.entity';
import { OperatorRepository } from './operator.repository';
import { isOperatorName, OPERATOR_ROLES, type OperatorRole } from './operator';
import { FailedLogins } from './failed-logins';
import { OperatorSessions } from './operator-sessions';

/** The path to which the provider sends the browser back. */
export const CALLBACK_PATH = '/operator/v1/session/openid-connect/callback';

const SCOPE = 'openid profile email';
const ROLE_PREFIX = 'portage-';
/** For each request to the provider. */
const TIMEOUT_SECONDS = 10;

/** What the browser keeps between the start of a sign-in and its end. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** The page to go to afterwards. */
  next: string;
}

/** The end of a sign-in as the provider sent it. */
export interface SignInAnswer {
  /** The address to which the provider sent the browser, with its query. */
  url: URL;
  pending: PendingSignIn;
  address: string;
  previousToken: string | undefined;
}

/**
 * Signs operators in with OpenID Connect: the authorization code flow with PKCE, state and nonce, and the signature of the
 * ID token. The role is a claim of the ID token and holds from the sign-in on. An operator is known by issuer and subject,
 * never by name.
 */
@Injectable()
export class OpenIdConnect {
  private readonly configuration = rememberSuccess(async () => this.readMetadata());

  constructor(
    private readonly operators: OperatorRepository,
    private readonly sessions: OperatorSessions,
    private readonly failures: FailedLogins,
    private readonly logger: Logger,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      | 'OPERATOR_OIDC_ISSUER'
      | 'OPERATOR_OIDC_CLIENT_ID'
      | 'OPERATOR_OIDC_CLIENT_SECRET'
      | 'OPERATOR_OIDC_ROLE_CLAIM'
    >,
    /** Tests pass a lower one. */
    @Optional() private readonly timeoutSeconds: number = TIMEOUT_SECONDS,
  ) {}

  /** The host name of the provider; undefined if there is none. */
  get providerName(): string | undefined {
    const { OPERATOR_OIDC_ISSUER: issuer } = this.config;
    return issuer === undefined ? undefined : new URL(issuer).host;
  }

  /**
   * Starts a sign-in.
   *
   * @param origin the scheme and host under which the browser reaches this service
   * @returns the address at the provider, and what the browser keeps
   * @throws PortageError `not_found` without a provider, `unavailable` if it does not answer
   */
  async start(origin: string, next: string): Promise<{ url: URL; pending: PendingSignIn }> {
    const configuration = await this.discover();
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      next,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${origin}${CALLBACK_PATH}`,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, pending };
  }

  /**
   * Ends a sign-in: checks what the provider sent, creates or updates the operator, and opens a session.
   *
   * @returns the token of the session; undefined if the sign-in is refused, for a reason that the audit and the log have
   * @throws PortageError `not_found` without a provider, `unavailable` if it does not answer
   */
  async finish({ url, pending, address, previousToken }: SignInAnswer): Promise<string | undefined> {
    const configuration = await this.discover();
    let claims: client.IDToken | undefined;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: pending.codeVerifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      claims = tokens.claims();
    } catch (error) {
      this.logger.warn('The OpenID provider refused a sign-in, or its answer was not valid.', { error });
    }
    if (!claims) return this.fail(undefined, address, 'openid-connect');
    const role = roleOf(claims[this.config.OPERATOR_OIDC_ROLE_CLAIM]);
    const operator = role === undefined ? undefined : await this.findOrCreate(claims, role);
    if (!operator) return this.fail(nameOf(claims), address, 'role');
    if (operator.isDisabled) return this.fail(operator.name, address, 'disabled');
    const token = await this.sessions.open(operator, {
      method: 'openid-connect',
      network: networkOf(address),
      previousToken,
    });
    return token ?? this.fail(operator.name, address, 'disabled');
  }

  /** Undefined if the name belongs to another operator, or if the last admin would lose the role. */
  private async findOrCreate(
    claims: client.IDToken,
    role: OperatorRole,
  ): Promise<OperatorEntity | undefined> {
    const oidcSubject = `${claims.iss} ${claims.sub}`;
    const found = await this.operators.findBySubject(oidcSubject);
    if (!found) {
      const name = nameOf(claims);
      if (name === undefined) return undefined;
      return this.operators.create(
        { name, role, oidcSubject },
        {
          actor: operatorActor(name),
          action: 'operator.create',
          subject: name,
          details: { role, method: 'openid-connect' },
        },
      );
    }
    if (found.role === role) return found;
    const change = await this.operators.setRole(found.name, role, {
      actor: operatorActor(found.name),
      action: 'operator.set-role',
      subject: found.name,
      details: { role, method: 'openid-connect' },
    });
    return change === 'changed' ? Object.assign(found, { role }) : undefined;
  }

  private async fail(
    name: string | undefined,
    address: string,
    reason: 'openid-connect' | 'role' | 'disabled',
  ): Promise<undefined> {
    await this.failures.record(name, address, reason);
    return undefined;
  }

  /** The configuration of the client, with the metadata of the provider. */
  private async discover(): Promise<client.Configuration> {
    try {
      return await this.configuration();
    } catch (error) {
      if (error instanceof PortageError) throw error;
      this.logger.warn('The OpenID provider does not answer.', { error });
      throw new PortageError('unavailable', 'The provider of sign-ins does not answer. Try again.');
    }
  }

  private async readMetadata(): Promise<client.Configuration> {
    const { OPERATOR_OIDC_ISSUER: issuer, OPERATOR_OIDC_CLIENT_ID: id } = this.config;
    if (issuer === undefined || id === undefined)
      throw new PortageError('not_found', 'Operators sign in with passwords here.');
    return client.discovery(new URL(issuer), id, this.config.OPERATOR_OIDC_CLIENT_SECRET, undefined, {
      timeout: this.timeoutSeconds,
      execute: [
        // The signature of an ID token is checked, although it came from the provider itself.
        client.enableNonRepudiationChecks,
        // Only for a provider on this machine: the setting refuses http:// for any other.
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated to make it stand out
        ...(issuer.startsWith('http://') ? [client.allowInsecureRequests] : []),
      ],
    });
  }
}

/** The highest role that the claim names; undefined if it names none. */
export function roleOf(claim: unknown): OperatorRole | undefined {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return OPERATOR_ROLES.findLast((role) => values.includes(`${ROLE_PREFIX}${role}`));
}

/** The name of a new operator; undefined if the provider gives none that is valid. */
function nameOf({ preferred_username: username, email }: client.IDToken): string | undefined {
  return [username, email]
    .map((name) => (typeof name === 'string' ? name.toLowerCase() : ''))
    .find((name) => isOperatorName(name));
}
