import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  type Guess,
  GuessLimits,
  type Judgement,
  networkOf,
  RateLimits,
} from '@portage/platform';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Failed attempts with one name, from all networks from which the operator has not signed in before. */
const MAX_FAILURES_PER_NAME = 20;

/** Wrong codes of one network in an hour. Three of a million codes are valid at a time. */
const MAX_WRONG_CODES_PER_HOUR = 10;

/**
 * Wrong codes of one operator in a day, counted like {@link MAX_FAILURES_PER_NAME}. At this rate a guess is right once in 3,000
 * days.
 */
const MAX_WRONG_CODES_PER_DAY = 100;

/**
 * Limits guesses of operators' passwords and codes by network, and by name. Networks from which the operator
 * has signed in are limited by themselves, so that guesses of strangers do not lock the operator out.
 */
@Injectable()
export class PasswordAttempts {
  private readonly passwords: GuessLimits;
  private readonly codes: GuessLimits;

  constructor(
    limits: RateLimits,
    @Inject(CONFIG) config: Pick<Config, 'TOKEN_FAILURES_PER_ADDRESS' | 'TOKEN_FAILURE_WINDOW_SECONDS'>,
  ) {
    const detail = 'Too many wrong passwords or codes.';
    const seconds = config.TOKEN_FAILURE_WINDOW_SECONDS;
    const maxUses = config.TOKEN_FAILURES_PER_ADDRESS;
    const usesName = 'operator-uses';
    this.passwords = new GuessLimits(limits, {
      bySource: { name: 'operator-failures', maxUses, seconds, detail },
      byTarget: { name: 'operator-name-failures', maxUses: MAX_FAILURES_PER_NAME, seconds, detail },
      usesName,
    });
    this.codes = new GuessLimits(limits, {
      bySource: {
        name: 'operator-code-failures',
        maxUses: MAX_WRONG_CODES_PER_HOUR,
        seconds: HOUR_SECONDS,
        detail,
      },
      byTarget: {
        name: 'operator-name-code-failures',
        maxUses: MAX_WRONG_CODES_PER_DAY,
        seconds: DAY_SECONDS,
        detail,
      },
      usesName,
    });
  }

  /**
   * Judges a password.
   *
   * @param address of the client
   * @param name the name that the client gave, in lower case
   * @param judge gets whether the operator has signed in from this network before
   * @throws Throttled when a limit is reached; `judge` is not called then
   */
  async judgePassword<T>(
    address: string,
    name: string,
    judge: (isKnown: boolean) => Promise<Judgement<T>>,
  ): Promise<Judgement<T>> {
    return this.passwords.judge(this.guessOf(address, name), judge);
  }

  /**
   * Judges a code of an operator whose password was right.
   *
   * @throws Throttled when a limit is reached; `judge` is not called then
   */
  async judgeCode<T>(
    address: string,
    name: string,
    judge: () => Promise<Judgement<T>>,
  ): Promise<Judgement<T>> {
    return this.codes.judge(this.guessOf(address, name), judge);
  }

  /** Records that an operator has signed in from a network. */
  async recordSuccess(address: string, name: string): Promise<void> {
    await this.passwords.recordUse(this.guessOf(address, name));
  }

  private guessOf(address: string, name: string): Guess {
    return { source: networkOf(address), target: name };
  }
}
