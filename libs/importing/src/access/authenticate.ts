import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyRepository, ChangeFeed } from '@portage/database';
import { apiKeyActor, PortageError } from '@portage/domain';
import { CACHE_LIFETIME_MS, InvalidatingCache } from '../invalidating-cache';
import { AccessTokens, type TokenClaims } from './access-tokens';

/** The authenticated sender of a request. */
export interface Caller {
  organisationId: number;
  apiKeyId: number;
  /** The name under which the caller's changes are recorded in the audit. */
  actor: string;
}

const SCHEME = 'Token ';

/**
 * Identifies the caller of an `Authorization` header (contract 5). The tokens of an API key are refused as soon as the
 * key is revoked.
 */
@Injectable()
export class Authenticate {
  private readonly activePrefix: InvalidatingCache<number, string | undefined>;

  constructor(
    private readonly tokens: AccessTokens,
    keys: ApiKeyRepository,
    feed: ChangeFeed,
    @Inject(CACHE_LIFETIME_MS) cacheLifetimeMs: number,
  ) {
    this.activePrefix = new InvalidatingCache(
      feed,
      'api_key',
      cacheLifetimeMs,
      async (id) => (await keys.findActive(id))?.prefix,
    );
  }

  /** @throws PortageError `not_authenticated`, `authentication_failed` or `token_expired` */
  async resolveCaller(authorization: string | undefined): Promise<Caller> {
    if (!authorization)
      throw new PortageError(
        'not_authenticated',
        'Send a token in the header: Authorization: Token <ACCESS_TOKEN>.',
      );
    const match = /^Token +(\S{1,4096})$/i.exec(authorization);
    if (!match)
      throw new PortageError(
        'authentication_failed',
        'The Authorization header must read: Token <ACCESS_TOKEN>.',
      );
    const claims = await this.tokens.read(match[1] as string);
    const prefix = await this.activePrefix.get(claims.key);
    if (prefix === undefined)
      throw new PortageError('authentication_failed', 'The API key behind this token has been revoked.');
    return buildCaller(claims, prefix);
  }

  /**
   * The caller, if token and key are cached: the synchronous path that nearly every request takes. Undefined says
   * nothing about the token; call {@link resolveCaller} then.
   */
  cachedCaller(authorization: string | undefined): Caller | undefined {
    // Cheaper than the regular expression, which reads each of several hundred characters.
    const claims = authorization?.startsWith(SCHEME)
      ? this.tokens.cachedClaims(authorization.slice(SCHEME.length))
      : undefined;
    const prefix = claims && this.activePrefix.peek(claims.key)?.value;
    return claims && prefix !== undefined ? buildCaller(claims, prefix) : undefined;
  }
}

function buildCaller({ sub, key }: TokenClaims, prefix: string): Caller {
  return { organisationId: Number(sub), apiKeyId: key, actor: apiKeyActor(prefix) };
}
