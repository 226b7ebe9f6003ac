import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { PortageError } from '@portage/domain';
import { Logger } from '@portage/observability';
import { networkOf } from '../rate-limits/network-of';
import { type RateLimit, RateLimits } from '../rate-limits/rate-limits';
import { Throttled } from '../rate-limits/throttled';
import { isRefreshToken, prefixOfApiKey } from './api-key-text';
import { ObtainToken, type ObtainedToken } from './obtain-token';

/** Exactly one of the two credentials of `obtainPlatformToken`. */
export type Credential = { APIKey: string } | { refreshToken: string };

const MONTH_SECONDS = 30 * 86_400;

/**
 * Failed attempts with one key prefix, from all addresses, in TOKEN_FAILURE_WINDOW_SECONDS. Further attempts are 429
 * from networks that have not used the key before.
 */
const MAX_FAILURES_PER_KEY = 100;

/**
 * Throttles attempts to obtain a token, by network and by key prefix, so that keys cannot be guessed. Successful
 * attempts do not count as failures. Guessing at a key does not lock out the networks that use it.
 */
@Injectable()
export class TokenAttempts {
  private readonly attempts: RateLimit;
  private readonly failures: RateLimit;
  private readonly malformedAttempts: RateLimit;
  private readonly keyFailures: RateLimit;
  /** Limits nothing: it records which networks have used a key. */
  private readonly keyUses: RateLimit;

  constructor(
    private readonly tokens: ObtainToken,
    private readonly limits: RateLimits,
    private readonly logger: Logger,
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
    this.failures = { name: 'token-failures', maxUses, seconds, detail };
    this.malformedAttempts = { name: 'token-malformed', maxUses, seconds, detail };
    this.keyFailures = { name: 'key-failures', maxUses: MAX_FAILURES_PER_KEY, seconds, detail };
    this.keyUses = { name: 'key-uses', maxUses: 0, seconds: MONTH_SECONDS, detail };
  }

  /**
   * Exchanges a credential for a token.
   *
   * @param address the client's IP address
   * @throws PortageError `authentication_failed`
   * @throws Throttled when one of the limits is reached
   */
  async obtain(address: string, credential: Credential): Promise<ObtainedToken> {
    const network = networkOf(address);
    if (!isWellFormed(credential)) {
      // A malformed credential cannot be valid, so a database query is not necessary.
      this.limits.takeLocally(this.malformedAttempts, network);
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
    const networkFailures = await this.limits.count(this.failures, network);
    if (networkFailures.count === this.failures.maxUses)
      this.logger.warning('A client has failed to obtain a token too often and is throttled.');
    if (prefix === undefined) return;
    const keyFailures = await this.limits.count(this.keyFailures, prefix);
    if (keyFailures.count === this.keyFailures.maxUses)
      this.logger.warning(
        `The API key ${prefix} has too many failed attempts. Networks that have not used it are throttled.`,
      );
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
      const isUsedFromNetwork = await this.limits.findUsed(this.keyUses, `${prefix} ${network}`);
      if (!(error instanceof Throttled && isUsedFromNetwork)) throw error;
    }
  }
}

function isWellFormed(credential: Credential): boolean {
  return 'APIKey' in credential
    ? prefixOfApiKey(credential.APIKey) !== undefined
    : isRefreshToken(credential.refreshToken);
}
