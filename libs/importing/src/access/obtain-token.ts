import { randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type ApiKeyEntity, ApiKeyRepository } from '@portage/database';
import { type Clock, PortageError } from '@portage/domain';
import { CLOCK } from '../clock-token';
import { AccessTokens, type TokenClaims } from './access-tokens';
import { hashOfSecret, isRefreshToken, newRefreshToken, prefixOfApiKey } from './api-key-text';

export interface ObtainedToken {
  token: string;
  refreshToken: string;
  /** Unix seconds. */
  refreshExpiresIn: number;
  payload: TokenClaims;
}

/** Compared with where there is no key, so that the answer takes as long. */
const NO_HASH = Buffer.alloc(32);

interface RefreshToken {
  text: string;
  hash: Buffer;
  expiresAt: Date;
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
    const key = await this.validKey(text);
    if (!key) throw new PortageError('authentication_failed', 'The API key is not valid.');
    const refresh = this.newRefreshToken();
    const { hash, expiresAt } = refresh;
    await this.keys.storeRefreshToken({ hash, expiresAt, family: randomUUID(), apiKeyId: key.id });
    // Whoever adds a token takes expired ones away, so that there are never many.
    await this.keys.deleteExpiredRefreshTokens(this.clock.now());
    return this.issue(key, refresh);
  }

  /** @throws PortageError `authentication_failed`, also when the token was used before: its whole family then ends */
  async withRefreshToken(text: string): Promise<ObtainedToken> {
    const refresh = this.newRefreshToken();
    const used = isRefreshToken(text)
      ? await this.keys.rotateRefreshToken(hashOfSecret(text), this.clock.now(), refresh)
      : undefined;
    const key = used?.outcome === 'used' ? await this.keys.findActive(used.apiKeyId) : undefined;
    if (!key)
      throw new PortageError(
        'authentication_failed',
        'The refresh token is not valid any more. Use the API key.',
      );
    return this.issue(key, refresh);
  }

  /** Answers whether this is a key that obtains tokens, without obtaining one. */
  async accepts(text: string): Promise<boolean> {
    return (await this.validKey(text)) !== undefined;
  }

  private async validKey(text: string): Promise<ApiKeyEntity | undefined> {
    const prefix = prefixOfApiKey(text);
    // The checksum is wrong: nobody's key, and nothing to ask the database.
    if (prefix === undefined) return undefined;
    const key = await this.keys.findByPrefix(prefix);
    const isRight = timingSafeEqual(key?.hash ?? NO_HASH, hashOfSecret(text));
    return key && isRight && key.revokedAt === null ? key : undefined;
  }

  private newRefreshToken(): RefreshToken {
    const text = newRefreshToken();
    const seconds =
      Math.floor(this.clock.now().getTime() / 1_000) + this.config.REFRESH_TOKEN_LIFETIME_SECONDS;
    return { text, hash: hashOfSecret(text), expiresAt: new Date(seconds * 1_000) };
  }

  private async issue(key: ApiKeyEntity, refresh: RefreshToken): Promise<ObtainedToken> {
    const { token, claims } = await this.tokens.sign(key.organisationId, key.id);
    return {
      token,
      refreshToken: refresh.text,
      refreshExpiresIn: refresh.expiresAt.getTime() / 1_000,
      payload: claims,
    };
  }
}
