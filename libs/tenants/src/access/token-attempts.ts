import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  Logger,
  networkOf,
  PortageError,
  type RateLimit,
  RateLimits,
  type ReservedUse,
  Throttled,
  Turns,
} from '@portage/platform';
import { isRefreshToken, prefixOfApiKey } from './api-key-text';
import { type ObtainedToken, ObtainToken } from './obtain-token';

/** Exactly one of the two credentials of `obtainPlatformToken`. */
export type Credential = { APIKey: string } | { refreshToken: string };

const MONTH_SECONDS = 30 * 86_400;

/**
 * Failed attempts with one key prefix, from all addresses, in TOKEN_FAILURE_WINDOW_SECONDS. Further attempts are 429
 * from networks that have not used the key before.
 */
const MAX_FAILURES_PER_KEY = 100;

/**
 * Throttles attempts to obtain a token, by network and by key prefix, so that keys cannot be guessed. Each attempt is
 * counted as a failure before it is judged, and taken back if it succeeds: concurrent guesses cannot exceed a limit.
 * Guessing at a key does not lock out the networks that use it.
 */
@Injectable()
export class TokenAttempts {
  private readonly attempts: RateLimit;
  private readonly failures: RateLimit;
  private readonly malformedAttempts: RateLimit;
  private readonly keyFailures: RateLimit;
  /** Limits nothing: it records which networks have used a key. */
  private readonly keyUses: RateLimit;
  private readonly turns: Turns;

  constructor(
    private readonly tokens: ObtainToken,
    private readonly limits: RateLimits,
    private readonly logger: Logger,
    @Inject(CONFIG) config: Config,
  ) {
    const detail = 'Too many attempts to obtain a token.';
    this.turns = new Turns(detail);
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
    this.limits.checkLocally(this.failures, network);
    await this.limits.take(this.attempts, network);
    return this.turns.run(network, async () => this.judge(network, credential));
  }

  /** Counts the attempt as a failure, judges it, and takes it back if it is none. */
  private async judge(network: string, credential: Credential): Promise<ObtainedToken> {
    const prefix = 'APIKey' in credential ? prefixOfApiKey(credential.APIKey) : undefined;
    const failure = await this.limits.reserve(this.failures, network);
    let keyFailure: ReservedUse | undefined;
    try {
      keyFailure = prefix === undefined ? undefined : await this.reserveKey(prefix, network);
      const obtained = await this.exchange(credential);
      if (prefix !== undefined) await this.limits.count(this.keyUses, `${prefix} ${network}`);
      await Promise.all([failure.takeBack(), keyFailure?.takeBack()]);
      return obtained;
    } catch (error) {
      if (error instanceof PortageError && error.code === 'authentication_failed') {
        failure.keep();
        keyFailure?.keep();
        this.reportLastAllowed(failure, prefix, keyFailure);
      } else await Promise.all([failure.takeBack(), keyFailure?.takeBack()]);
      throw error;
    }
  }

  private reportLastAllowed(
    failure: ReservedUse,
    prefix: string | undefined,
    keyFailure: ReservedUse | undefined,
  ): void {
    if (failure.count > 0 && failure.count === this.failures.maxUses)
      this.logger.warning('A client has failed to obtain a token too often and is throttled.');
    if (prefix !== undefined && keyFailure?.count === this.keyFailures.maxUses)
      this.logger.warning(
        `The API key ${prefix} has too many failed attempts. Networks that have not used it are throttled.`,
      );
  }

  private async exchange(credential: Credential): Promise<ObtainedToken> {
    return 'APIKey' in credential
      ? this.tokens.withApiKey(credential.APIKey)
      : this.tokens.withRefreshToken(credential.refreshToken);
  }

  /** Undefined for a network that has used the key before while guesses from other networks have reached the limit. */
  private async reserveKey(prefix: string, network: string): Promise<ReservedUse | undefined> {
    try {
      return await this.limits.reserve(this.keyFailures, prefix);
    } catch (error) {
      const isUsedFromNetwork = await this.limits.findUsed(this.keyUses, `${prefix} ${network}`);
      if (!(error instanceof Throttled && isUsedFromNetwork)) throw error;
      return undefined;
    }
  }
}

function isWellFormed(credential: Credential): boolean {
  return 'APIKey' in credential
    ? prefixOfApiKey(credential.APIKey) !== undefined
    : isRefreshToken(credential.refreshToken);
}
