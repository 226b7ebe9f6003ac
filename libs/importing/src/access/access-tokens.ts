import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type Clock, PortageError } from '@portage/domain';
import { errors, jwtVerify, SignJWT } from 'jose';
import { CLOCK } from '../clock-token';

/** What a token says: who it is for, until when, and from which key it comes. Times are Unix seconds. */
export interface TokenClaims {
  iss: string;
  aud: string;
  /** Id of the organisation. */
  sub: string;
  /** Id of the API key that the token descends from. */
  key: number;
  iat: number;
  exp: number;
  jti: string;
}

const ISSUER = 'portage';
const AUDIENCE = 'portage-api';
const ALGORITHM = 'HS256';

/** Signs and reads access tokens (DESIGN 1). */
@Injectable()
export class AccessTokens {
  private readonly secret: Uint8Array;
  private readonly keyId: string;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.secret = new TextEncoder().encode(config.TOKEN_SECRET);
    this.keyId = createHash('sha256').update(this.secret).digest('hex').slice(0, 12);
  }

  async sign(organisationId: number, apiKeyId: number): Promise<{ token: string; claims: TokenClaims }> {
    const iat = Math.floor(this.clock.now().getTime() / 1_000);
    const claims: TokenClaims = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: String(organisationId),
      key: apiKeyId,
      iat,
      exp: iat + this.config.TOKEN_LIFETIME_SECONDS,
      jti: randomUUID(),
    };
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: this.keyId })
      .sign(this.secret);
    return { token, claims };
  }

  /** @throws PortageError `token_expired` or `authentication_failed` */
  async read(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify<TokenClaims>(token, this.secret, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'key', 'iat', 'exp', 'jti'],
        currentDate: this.clock.now(),
      });
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
}
