import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { PortageError } from '@portage/domain';
import { Logger } from '@portage/observability';
import { networkOf } from '../rate-limits/network-of';
import { type RateLimit, RateLimits } from '../rate-limits/rate-limits';
import { Throttled } from '../rate-limits/throttled';
import { isRefreshToken, prefixOfApiKey } from './api-key-text';
import { ObtainToken, type ObtainedToken } from './obtain-token';

export type Credential = { APIKey: string } | { refreshToken: string };

const MONTH_SECONDS = 30 * 86_400;

/**
 * Obtaining tokens for strangers: slows guessing, by address and by the prefix of a key (DESIGN 3, promise 5).
 * Attempts that succeed hold nobody up, and strangers who guess at a key do not lock out those who use it.
 */
@Injectable()
export class TokenAttempts {
  private readonly attempts: RateLimit;
  private readonly failures: RateLimit;
  private readonly malformed: RateLimit;
  private readonly keyFailures: RateLimit;
  /** No limit: notes from which networks a key was used. */
  private readonly keyUses: RateLimit;

  constructor(
    private readonly tokens: ObtainToken,
    private readonly limits: RateLimits,
    private readonly logger: Logger,
    @Inject(CONFIG) config: Config,
  ) {
    const detail = 'Too many attempts to obtain a token.';
    const seconds = config.TOKEN_FAILURE_WINDOW_SECONDS;
    const most = config.TOKEN_FAILURES_PER_ADDRESS;
    this.attempts = { name: 'token-attempts', most: config.TOKEN_ATTEMPTS_PER_MINUTE, seconds: 60, detail };
    this.failures = { name: 'token-failures', most, seconds, detail };
    this.malformed = { name: 'token-malformed', most, seconds, detail };
    this.keyFailures = { name: 'key-failures', most: config.TOKEN_FAILURES_PER_KEY, seconds, detail };
    this.keyUses = { name: 'key-uses', most: 0, seconds: MONTH_SECONDS, detail };
  }

  /**
   * @param address where the attempt comes from
   * @throws PortageError `authentication_failed`
   * @throws Throttled
   */
  async obtain(address: string, credential: Credential): Promise<ObtainedToken> {
    const network = networkOf(address);
    if (!isWellFormed(credential)) {
      // It cannot be right, so it teaches nobody anything, and is not worth a question to the database.
      this.limits.takeHere(this.malformed, network);
      return this.exchange(credential);
    }
    const prefix = 'APIKey' in credential ? prefixOfApiKey(credential.APIKey) : undefined;
    await this.limits.check(this.failures, network);
    await this.limits.take(this.attempts, network);
    if (prefix !== undefined) await this.checkKey(prefix, network);
    try {
      const obtained = await this.exchange(credential);
      if (prefix !== undefined) await this.limits.count(this.keyUses, `${prefix} ${network}`);
      return obtained;
    } catch (error) {
      if (error instanceof PortageError && error.code === 'authentication_failed')
        await this.countFailure(network, prefix);
      throw error;
    }
  }

  private async countFailure(network: string, prefix: string | undefined): Promise<void> {
    const ofAddress = await this.limits.count(this.failures, network);
    if (ofAddress.count === this.failures.most)
      this.logger.warning('An address has failed too often to obtain a token. It is refused for a while.');
    if (prefix === undefined) return;
    const ofKey = await this.limits.count(this.keyFailures, prefix);
    if (ofKey.count === this.keyFailures.most)
      this.logger.warning(`The API key ${prefix} is being guessed at. Addresses new to it are refused.`);
  }

  private async exchange(credential: Credential): Promise<ObtainedToken> {
    return 'APIKey' in credential
      ? this.tokens.withApiKey(credential.APIKey)
      : this.tokens.withRefreshToken(credential.refreshToken);
  }

  private async checkKey(prefix: string, network: string): Promise<void> {
    try {
      await this.limits.check(this.keyFailures, prefix);
    } catch (error) {
      const isUsedFromHere = await this.limits.used(this.keyUses, `${prefix} ${network}`);
      if (!(error instanceof Throttled && isUsedFromHere)) throw error;
    }
  }
}

function isWellFormed(credential: Credential): boolean {
  return 'APIKey' in credential
    ? prefixOfApiKey(credential.APIKey) !== undefined
    : isRefreshToken(credential.refreshToken);
}
