import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  GuessLimits,
  Logger,
  networkOf,
  PortageError,
  type RateLimit,
  RateLimits,
} from '@portage/platform';
import { isRefreshToken, prefixOfApiKey } from './api-key-text';
import { type ObtainedToken, ObtainToken } from './obtain-token';

/** Exactly one of the two credentials of `obtainPlatformToken`. */
export type Credential = { APIKey: string } | { refreshToken: string };

/**
 * Failed attempts with one key prefix, from all addresses, in TOKEN_FAILURE_WINDOW_SECONDS. Further attempts are 429
 * from networks that have not used the key before.
 */
const MAX_FAILURES_PER_KEY = 100;

/** Throttles attempts to obtain a token, by network and by key prefix, so that keys cannot be guessed. */
@Injectable()
export class TokenAttempts {
  private readonly attempts: RateLimit;
  private readonly guesses: GuessLimits;

  constructor(
    private readonly tokens: ObtainToken,
    private readonly limits: RateLimits,
    logger: Logger,
    @Inject(CONFIG) config: Config,
  ) {
    const detail = 'Too many attempts to obtain a token.';
    const seconds = config.TOKEN_FAILURE_WINDOW_SECONDS;
    const maxUses = config.TOKEN_FAILURES_PER_ADDRESS;
    this.attempts = {
      name: 'token-attempts',
      maxUses: config.TOKEN_ATTEMPTS_PER_MINUTE,
      seconds: 60,
      detail,
    };
    const byTarget = { name: 'key-failures', maxUses: MAX_FAILURES_PER_KEY, seconds, detail };
    this.guesses = new GuessLimits(limits, {
      bySource: { name: 'token-failures', maxUses, seconds, detail },
      byTarget,
      usesName: 'key-uses',
      onLastFailure: (limit, { target }) => {
        logger.warn(
          limit === byTarget
            ? `The API key ${target} has too many failed attempts. Networks that have not used it are throttled.`
            : 'A client has failed to obtain a token too often and is throttled.',
        );
      },
    });
  }

  /**
   * Exchanges a credential for a token.
   *
   * @param address the client's IP address
   * @throws PortageError `authentication_failed`
   * @throws Throttled when one of the limits is reached
   */
  async obtain(address: string, credential: Credential): Promise<ObtainedToken> {
    const source = networkOf(address);
    // A malformed credential cannot be valid, and is refused without a query: it is no guess.
    if (!isWellFormed(credential)) return this.exchange(credential);
    const target = 'APIKey' in credential ? prefixOfApiKey(credential.APIKey) : undefined;
    const guess = { source, target };
    const judged = await this.guesses.judge(guess, async () => {
      await this.limits.take(this.attempts, source);
      try {
        return { outcome: 'right', value: await this.exchange(credential) };
      } catch (error) {
        if (!(error instanceof PortageError && error.code === 'authentication_failed')) throw error;
        return { outcome: 'wrong', error };
      }
    });
    if (judged.outcome === 'wrong') throw judged.error as PortageError;
    await this.guesses.recordUse(guess);
    return judged.value;
  }

  private async exchange(credential: Credential): Promise<ObtainedToken> {
    return 'APIKey' in credential
      ? this.tokens.withApiKey(credential.APIKey)
      : this.tokens.withRefreshToken(credential.refreshToken);
  }
}

function isWellFormed(credential: Credential): boolean {
  return 'APIKey' in credential
    ? prefixOfApiKey(credential.APIKey) !== undefined
    : isRefreshToken(credential.refreshToken);
}
