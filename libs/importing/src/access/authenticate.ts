import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ApiKeyRepository, ChangeFeed } from '@portage/database';
import { PortageError } from '@portage/domain';
import { Remembered } from '../remembered';
import { AccessTokens } from './access-tokens';

/** Who asks. */
export interface Caller {
  organisationId: number;
  apiKeyId: number;
}

/** Turns an `Authorization` header into a caller (contract 5, DESIGN 1). A revoked key's tokens end at once. */
@Injectable()
export class Authenticate {
  private readonly isActive: Remembered<number, boolean>;

  constructor(
    private readonly tokens: AccessTokens,
    keys: ApiKeyRepository,
    feed: ChangeFeed,
    @Inject(CONFIG) config: Config,
  ) {
    this.isActive = new Remembered(
      feed,
      'api_key',
      config.CACHE_SECONDS,
      async (id) => (await keys.findActive(id)) !== undefined,
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
    if (!(await this.isActive.get(claims.key)))
      throw new PortageError('authentication_failed', 'The API key behind this token has been revoked.');
    return { organisationId: Number(claims.sub), apiKeyId: claims.key };
  }
}
