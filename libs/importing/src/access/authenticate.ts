import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ApiKeyRepository, ChangeFeed } from '@portage/database';
import { apiKeyActor, PortageError } from '@portage/domain';
import { InvalidatingCache } from '../invalidating-cache';
import { AccessTokens, type TokenClaims } from './access-tokens';

/** Who asks. */
export interface Caller {
  organisationId: number;
  apiKeyId: number;
  /** As what is asked for is put on record. */
  actor: string;
}

const SCHEME = 'Token ';

/** Turns an `Authorization` header into a caller (contract 5, DESIGN 1). A revoked key's tokens end at once. */
@Injectable()
export class Authenticate {
  private readonly activePrefix: InvalidatingCache<number, string | undefined>;

  constructor(
    private readonly tokens: AccessTokens,
    keys: ApiKeyRepository,
    feed: ChangeFeed,
    @Inject(CONFIG) config: Config,
  ) {
    this.activePrefix = new InvalidatingCache(
      feed,
      'api_key',
      config.CACHE_SECONDS,
      async (id) => (await keys.findActive(id))?.prefix,
    );
  }

  /** @throws PortageError `not_authenticated`, `authentication_failed` or `token_expired` */
  async caller(authorization: string | undefined): Promise<Caller> {
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
    return callerOf(claims, prefix);
  }

  /** The caller, where nobody need be asked: nearly every request has a token and a key that are remembered. */
  cachedCaller(authorization: string | undefined): Caller | undefined {
    // Not by the expression, which looks at each of some hundred characters.
    const claims = authorization?.startsWith(SCHEME)
      ? this.tokens.known(authorization.slice(SCHEME.length))
      : undefined;
    const prefix = claims && this.activePrefix.peek(claims.key)?.value;
    return claims && prefix !== undefined ? callerOf(claims, prefix) : undefined;
  }
}

function callerOf({ sub, key }: TokenClaims, prefix: string): Caller {
  return { organisationId: Number(sub), apiKeyId: key, actor: apiKeyActor(prefix) };
}
