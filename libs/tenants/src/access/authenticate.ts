import { Inject, Injectable } from '@nestjs/common';
import {
  apiKeyActor,
  CACHE_LIFETIME_MS,
  ChangeFeed,
  InvalidatingCache,
  PortageError,
} from '@portage/platform';
import { ApiKeyRepository } from './api-key.repository';
import { AccessTokens, type TokenClaims } from './access-tokens';

/** The authenticated sender of a request. */
export interface Caller {
  organisationId: number;
  apiKeyId: number;
  /** The family of refresh tokens that its token belongs to. */
  tokenFamily: string;
  /** The name under which the caller's changes are recorded in the audit. */
  actor: string;
}

/**
 * Identifies the caller of an `Authorization` header (contract, "Access"). The tokens of an API key are refused as soon
 * as the key is revoked, and the tokens of a family as soon as one of its refresh tokens is used twice, on every
 * instance.
 */
@Injectable()
export class Authenticate {
  /** By API key and family, see {@link cacheKeyOf}. */
  private readonly activePrefix: InvalidatingCache<string, string | undefined>;

  constructor(
    private readonly tokens: AccessTokens,
    keys: ApiKeyRepository,
    feed: ChangeFeed,
    @Inject(CACHE_LIFETIME_MS) cacheLifetimeMs: number,
  ) {
    this.activePrefix = new InvalidatingCache(
      feed,
      ['api_key', 'revoked_token_family'],
      cacheLifetimeMs,
      async (cacheKey) => {
        const [id, family = ''] = cacheKey.split(' ');
        return keys.findActivePrefix(Number(id), family);
      },
    );
  }

  /**
   * The caller: at once if token and key are cached, as with nearly every request, else as a promise.
   *
   * @throws PortageError `not_authenticated`, `authentication_failed` or `token_expired`, also as a rejected promise
   */
  caller(authorization: string | undefined): Caller | Promise<Caller> {
    return andThen(this.tokens.read(readToken(authorization)), (claims) =>
      andThen(this.activePrefix.get(cacheKeyOf(claims.key, claims.family)), (prefix) =>
        callerOf(claims, prefix),
      ),
    );
  }

  /**
   * For a request that takes long: the error of its next one if the key or the token of its caller has been revoked since.
   * It may outlast the lifetime of its token.
   */
  async recheck({ apiKeyId, tokenFamily }: Caller): Promise<PortageError | undefined> {
    const prefix = await this.activePrefix.get(cacheKeyOf(apiKeyId, tokenFamily));
    return prefix === undefined ? buildRevoked() : undefined;
  }
}

/** Passes a value on at once, and the value of a promise when it is there. */
function andThen<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function readToken(authorization: string | undefined): string {
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
  return match[1] as string;
}

function cacheKeyOf(apiKeyId: number, family: string): string {
  return `${apiKeyId} ${family}`;
}

/** @param prefix of the API key; undefined if the key or the token has been revoked */
function callerOf({ sub, key, family }: TokenClaims, prefix: string | undefined): Caller {
  if (prefix === undefined) throw buildRevoked();
  return { organisationId: Number(sub), apiKeyId: key, tokenFamily: family, actor: apiKeyActor(prefix) };
}

function buildRevoked(): PortageError {
  return new PortageError(
    'authentication_failed',
    'The API key behind this token has been revoked, or a refresh token was used twice. Obtain a new token with an API key.',
  );
}
