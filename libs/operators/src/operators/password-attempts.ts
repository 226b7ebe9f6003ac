import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  networkOf,
  type RateLimit,
  RateLimits,
  type ReservedUse,
  Throttled,
  Turns,
} from '@portage/platform';

const MONTH_SECONDS = 30 * 86_400;
const HOUR_SECONDS = 3_600;

/**
 * Failed attempts with one name, from all addresses, in TOKEN_FAILURE_WINDOW_SECONDS. Further attempts are 429 from
 * networks from which the operator has not signed in before.
 */
const MAX_FAILURES_PER_NAME = 20;

/** Wrong codes of one operator in an hour. Three of a million codes are valid at a time. */
const MAX_WRONG_CODES_PER_HOUR = 10;

/** The outcome of an attempt: not `wrong` takes the attempt back. */
export type Judgement<T> = { outcome: 'wrong' } | { outcome: 'right'; value: T };

/**
 * Limits guesses of operators' passwords and codes, by network and by name. Each attempt is counted as a failure before
 * it is judged, and taken back if it was right: concurrent guesses cannot exceed a limit. Guesses at an operator do not
 * lock out the networks from which the operator signs in.
 */
@Injectable()
export class PasswordAttempts {
  private readonly networkFailures: RateLimit;
  private readonly nameFailures: RateLimit;
  private readonly codeFailures: RateLimit;
  /** Limits nothing: it records from which networks an operator has signed in. */
  private readonly nameUses: RateLimit;
  private readonly turns: Turns;

  constructor(
    private readonly limits: RateLimits,
    @Inject(CONFIG) config: Pick<Config, 'TOKEN_FAILURES_PER_ADDRESS' | 'TOKEN_FAILURE_WINDOW_SECONDS'>,
  ) {
    const detail = 'Too many wrong passwords or codes.';
    const seconds = config.TOKEN_FAILURE_WINDOW_SECONDS;
    this.turns = new Turns(detail);
    this.networkFailures = {
      name: 'operator-failures',
      maxUses: config.TOKEN_FAILURES_PER_ADDRESS,
      seconds,
      detail,
    };
    this.nameFailures = { name: 'operator-name-failures', maxUses: MAX_FAILURES_PER_NAME, seconds, detail };
    this.codeFailures = {
      name: 'operator-code-failures',
      maxUses: MAX_WRONG_CODES_PER_HOUR,
      seconds: HOUR_SECONDS,
      detail,
    };
    this.nameUses = { name: 'operator-uses', maxUses: 0, seconds: MONTH_SECONDS, detail };
  }

  /**
   * Judges a password.
   *
   * @param address the client's IP address
   * @param name the name that the client gave, in lower case
   * @throws Throttled when a limit is reached; `judge` is not called then
   */
  async judgePassword<T>(
    address: string,
    name: string,
    judge: () => Promise<Judgement<T>>,
  ): Promise<Judgement<T>> {
    const network = networkOf(address);
    this.limits.checkLocally(this.networkFailures, network);
    return this.turns.run(network, async () => {
      const ofNetwork = await this.limits.reserve(this.networkFailures, network);
      let ofName: ReservedUse | undefined;
      try {
        ofName = await this.reserveName(name, network);
      } catch (error) {
        await ofNetwork.takeBack();
        throw error;
      }
      return this.settle([ofNetwork, ofName], judge);
    });
  }

  /**
   * Judges a code of an operator whose password was right.
   *
   * @throws Throttled when the limit is reached; `judge` is not called then
   */
  async judgeCode<T>(name: string, judge: () => Promise<Judgement<T>>): Promise<Judgement<T>> {
    return this.settle([await this.limits.reserve(this.codeFailures, name)], judge);
  }

  /** Records that an operator has signed in from an address. */
  async recordSuccess(address: string, name: string): Promise<void> {
    await this.limits.count(this.nameUses, `${name} ${networkOf(address)}`);
  }

  private async settle<T>(
    reserved: readonly (ReservedUse | undefined)[],
    judge: () => Promise<Judgement<T>>,
  ): Promise<Judgement<T>> {
    const takeBack = async () => Promise.all(reserved.map(async (use) => use?.takeBack()));
    try {
      const judged = await judge();
      if (judged.outcome === 'wrong') for (const use of reserved) use?.keep();
      else await takeBack();
      return judged;
    } catch (error) {
      // A fault, or an attempt that was not judged, is no guess.
      await takeBack();
      throw error;
    }
  }

  /** Undefined for a network from which the operator has signed in, while guesses from others have reached the limit. */
  private async reserveName(name: string, network: string): Promise<ReservedUse | undefined> {
    try {
      return await this.limits.reserve(this.nameFailures, name);
    } catch (error) {
      const isUsed = await this.limits.findUsed(this.nameUses, `${name} ${network}`);
      if (!(error instanceof Throttled && isUsed)) throw error;
      return undefined;
    }
  }
}
