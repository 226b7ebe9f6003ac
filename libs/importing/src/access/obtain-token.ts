import { randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type ApiKeyEntity, ApiKeyRepository } from '@portage/database';
import { type Clock, PortageError } from '@portage/domain';
import { CLOCK } from '../clock-token';
import { AccessTokens, type TokenClaims } from './access-tokens';
import { hashOfSecret, newRefreshToken, prefixOfApiKey } from './api-key-text';

export interface ObtainedToken {
  token: string;
  refreshToken: string;
  /** Unix seconds. */
  refreshExpiresIn: number;
  payload: TokenClaims;
}

/** Issues tokens for an API key, or for a refresh token that has not been used yet (DESIGN 1). */
@Injectable()
export class ObtainToken {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly tokens: AccessTokens,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws PortageError `authentication_failed`; the reason is the same for a wrong, an unknown and a revoked key */
  async withApiKey(text: string): Promise<ObtainedToken> {
    const prefix = prefixOfApiKey(text);
    const key = prefix ? await this.keys.findByPrefix(prefix) : undefined;
    if (!key || key.revokedAt !== null || !timingSafeEqual(key.hash, hashOfSecret(text)))
      throw new PortageError('authentication_failed', 'The API key is not valid.');
    return this.issue(key, randomUUID());
  }

  /** @throws PortageError `authentication_failed`, also when the token was used before: its whole family then ends */
  async withRefreshToken(text: string): Promise<ObtainedToken> {
    const used = await this.keys.consumeRefreshToken(hashOfSecret(text), this.clock.now());
    const key = used.outcome === 'used' ? await this.keys.findActive(used.apiKeyId) : undefined;
    if (used.outcome !== 'used' || !key)
      throw new PortageError(
        'authentication_failed',
        'The refresh token is not valid any more. Use the API key.',
      );
    return this.issue(key, used.family);
  }

  private async issue(key: ApiKeyEntity, family: string): Promise<ObtainedToken> {
    const { token, claims } = await this.tokens.sign(key.organisationId, key.id);
    const refreshToken = newRefreshToken();
    const refreshExpiresIn = claims.iat + this.config.REFRESH_TOKEN_LIFETIME_SECONDS;
    await this.keys.storeRefreshToken({
      hash: hashOfSecret(refreshToken),
      family,
      apiKeyId: key.id,
      expiresAt: new Date(refreshExpiresIn * 1_000),
    });
    return { token, refreshToken, refreshExpiresIn, payload: claims };
  }
}
