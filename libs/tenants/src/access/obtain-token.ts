import { randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, Logger, PortageError } from '@portage/platform';
import type { ApiKeyEntity } from './api-key.entity';
import { ApiKeyRepository } from './api-key.repository';
import { AccessTokens, type TokenClaims } from './access-tokens';
import { hashOfSecret, isRefreshToken, newRefreshToken, prefixOfApiKey } from './api-key-text';
import { TokenMetrics } from './token-metrics';

/** The result of `obtainPlatformToken` (contract, "Access"). */
export interface ObtainedToken {
  token: string;
  refreshToken: string;
  /** Unix seconds. */
  refreshExpiresIn: number;
  payload: TokenClaims;
}

/** Compared if there is no key, so that the response time does not reveal whether a key exists. */
const UNKNOWN_KEY_HASH = Buffer.alloc(32);

interface RefreshToken {
  text: string;
  hash: Buffer;
  expiresAt: Date;
}

/** Issues tokens for an API key, or for a refresh token that has not been used yet (contract, "Access"). */
@Injectable()
export class ObtainToken {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly tokens: AccessTokens,
    private readonly metrics: TokenMetrics,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Issues a token and the first refresh token of a new family.
   *
   * @throws PortageError `authentication_failed`, the same for a wrong, an unknown and a revoked key
   */
  async withApiKey(text: string): Promise<ObtainedToken> {
    const key = await this.findValidKey(text);
    if (!key) throw new PortageError('authentication_failed', 'The API key is not valid.');
    const refresh = this.buildRefreshToken();
    const { hash, expiresAt } = refresh;
    const family = randomUUID();
    await this.keys.storeRefreshToken({ hash, expiresAt, family, apiKeyId: key.id });
    // Expired tokens are deleted with each insert, so that the table stays small without a scheduled job.
    await this.keys.deleteExpiredRefreshTokens(this.clock.now());
    return this.issue(key, family, refresh);
  }

  /**
   * Issues a token and the next refresh token of the family.
   *
   * @throws PortageError `authentication_failed`; a token that is used twice revokes its whole family, access tokens
   * included
   */
  async withRefreshToken(text: string): Promise<ObtainedToken> {
    const refresh = this.buildRefreshToken();
    const used = isRefreshToken(text)
      ? await this.keys.rotateRefreshToken(hashOfSecret(text), this.clock.now(), refresh)
      : undefined;
    if (used?.outcome === 'reused') await this.reportReuse(used.apiKeyId);
    const key = used?.outcome === 'used' ? await this.keys.findActive(used.apiKeyId) : undefined;
    if (used?.outcome !== 'used' || !key)
      throw new PortageError(
        'authentication_failed',
        'The refresh token is not valid any more. Use the API key.',
      );
    return this.issue(key, used.family, refresh);
  }

  private async reportReuse(apiKeyId: number): Promise<void> {
    this.metrics.refreshTokenReuse.inc();
    const key = await this.keys.findActive(apiKeyId);
    this.logger.warn(
      `A refresh token of the API key ${key?.prefix ?? '(revoked)'} was used twice, which is a sign of theft. All tokens of its family are revoked.`,
      { ...(key && { organisationId: key.organisationId }) },
    );
  }

  /** True if the API key is valid. Issues nothing. */
  async accepts(text: string): Promise<boolean> {
    return (await this.findValidKey(text)) !== undefined;
  }

  private async findValidKey(text: string): Promise<ApiKeyEntity | undefined> {
    const prefix = prefixOfApiKey(text);
    // A key whose checksum is wrong cannot exist, so it costs no database lookup.
    if (prefix === undefined) return undefined;
    const key = await this.keys.findByPrefix(prefix);
    const hashMatches = timingSafeEqual(key?.hash ?? UNKNOWN_KEY_HASH, hashOfSecret(text));
    return key && hashMatches && key.revokedAt === null ? key : undefined;
  }

  private buildRefreshToken(): RefreshToken {
    const text = newRefreshToken();
    const seconds =
      Math.floor(this.clock.now().getTime() / 1_000) + this.config.REFRESH_TOKEN_LIFETIME_SECONDS;
    return { text, hash: hashOfSecret(text), expiresAt: new Date(seconds * 1_000) };
  }

  private async issue(key: ApiKeyEntity, family: string, refresh: RefreshToken): Promise<ObtainedToken> {
    const { token, claims } = await this.tokens.sign(key.organisationId, key.id, family);
    return {
      token,
      refreshToken: refresh.text,
      refreshExpiresIn: refresh.expiresAt.getTime() / 1_000,
      payload: claims,
    };
  }
}
