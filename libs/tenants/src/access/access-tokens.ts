import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, PortageError } from '@portage/platform';
import { errors, jwtVerify, SignJWT } from 'jose';

/** The claims of an access token. Times are Unix seconds. */
export interface TokenClaims {
  iss: string;
  aud: string;
  /** Id of the organisation. */
  sub: string;
  /** Id of the API key that the token descends from. */
  key: number;
  /** The family of refresh tokens that the token belongs to. */
  family: string;
  iat: number;
  exp: number;
  jti: string;
}

const ISSUER = 'portage';
const AUDIENCE = 'portage-api';
const ALGORITHM = 'HS256';
const TYPE = 'JWT';
/** Tolerated difference between the clocks of two instances. */
const MAX_CLOCK_SKEW_SECONDS = 60;
/** Bounds the memory of the cache. A token is at most 4 KiB long. */
const MAX_CACHED_TOKENS = 1_000;

interface SigningKey {
  id: string;
  secret: Uint8Array;
}

/**
 * Signs access tokens with TOKEN_SECRET and verifies them (contract, "Access"). Tokens that were signed with
 * TOKEN_SECRET_PREVIOUS are valid too, so that the secret can be rotated.
 */
@Injectable()
export class AccessTokens {
  private readonly keys: SigningKey[];
  /** Tokens that were verified, the oldest first. A migration sends thousands of requests with one token. */
  private readonly verifiedTokens = new Map<string, TokenClaims>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.keys = [config.TOKEN_SECRET, config.TOKEN_SECRET_PREVIOUS]
      .filter((secret) => secret !== undefined)
      .map(buildSigningKey);
  }

  /** Issues a new token that is valid for TOKEN_LIFETIME_SECONDS. */
  async sign(
    organisationId: number,
    apiKeyId: number,
    family: string,
  ): Promise<{ token: string; claims: TokenClaims }> {
    const [key] = this.keys;
    if (!key) throw new Error('Only the API has a secret to sign tokens with.');
    const iat = Math.floor(this.clock.now().getTime() / 1_000);
    const claims: TokenClaims = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: String(organisationId),
      key: apiKeyId,
      family,
      iat,
      exp: iat + this.config.TOKEN_LIFETIME_SECONDS,
      jti: randomUUID(),
    };
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.id })
      .sign(key.secret);
    return { token, claims };
  }

  /**
   * The claims of a valid token: at once for a token that was verified before, else as a promise.
   *
   * @throws PortageError `token_expired` or `authentication_failed`, as a rejected promise
   */
  read(token: string): TokenClaims | Promise<TokenClaims> {
    const claims = this.verifiedTokens.get(token);
    const isValid = claims && claims.exp > Math.floor(this.clock.now().getTime() / 1_000);
    return isValid ? claims : this.verifyAndCache(token);
  }

  private async verifyAndCache(token: string): Promise<TokenClaims> {
    const claims = await this.verify(token);
    const [oldest] = this.verifiedTokens.size < MAX_CACHED_TOKENS ? [] : this.verifiedTokens.keys();
    if (oldest !== undefined) this.verifiedTokens.delete(oldest);
    this.verifiedTokens.set(token, claims);
    return claims;
  }

  private async verify(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify<TokenClaims>(token, ({ kid }) => this.findSecret(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'key', 'family', 'iat', 'exp', 'jti'],
        currentDate: this.clock.now(),
      });
      if (payload.iat > this.clock.now().getTime() / 1_000 + MAX_CLOCK_SKEW_SECONDS)
        throw new errors.JWTClaimValidationFailed('The token is from the future.', payload, 'iat');
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new PortageError(
          'token_expired',
          'The token has expired. Obtain a new one with obtainPlatformToken.',
        );
      throw new PortageError('authentication_failed', 'The token is not valid.');
    }
  }

  private findSecret(keyId: string | undefined): Uint8Array {
    const key = this.keys.find(({ id }) => id === keyId);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.secret;
  }
}

function buildSigningKey(text: string): SigningKey {
  const secret = new TextEncoder().encode(text);
  return { secret, id: createHash('sha256').update(secret).digest('hex').slice(0, 12) };
}
