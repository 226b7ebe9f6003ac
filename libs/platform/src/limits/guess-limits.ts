import type { PortageError } from '../errors/portage-error';
import type { RateLimit, RateLimits } from './rate-limits';
import { Turns } from './turns';

const MONTH_SECONDS = 30 * 86_400;

/** Limits of guesses at one kind of secret. */
export interface GuessRules {
  /** Failures of one source. */
  bySource: RateLimit;
  /** Failures with one target, of all sources from which it was not used before. */
  byTarget: RateLimit;
  /** Names the stored records of the sources that have used a target. */
  usesName: string;
  /** Called with the last failure that a limit allows. */
  onLastFailure?: (limit: RateLimit, guess: Guess) => void;
}

/** An attempt that may be a guess. */
export interface Guess {
  /** Where it comes from: a network, or a device that has proved which one it is. */
  source: string;
  /** The key or the name whose secret may be guessed; undefined if it names none. */
  target: string | undefined;
  /** True if the source has proved that it has used the target. Otherwise the stored records decide. */
  isKnown?: boolean;
}

/** The outcome of an attempt. One that is not `wrong` is taken back. */
export type Judgement<T> = { outcome: 'wrong'; error?: PortageError } | { outcome: 'right'; value: T };

/**
 * Limits guesses by source and by target. Each attempt is counted as a failure before it is judged, and taken back if it
 * was right: concurrent guesses cannot exceed a limit. A source that has used the target within a month is limited by
 * itself alone, so that guesses of others do not lock out the owner.
 */
export class GuessLimits {
  private readonly turns: Turns;
  /** Limits nothing: it records which sources have used a target. */
  private readonly uses: RateLimit;

  constructor(
    private readonly limits: RateLimits,
    private readonly rules: GuessRules,
  ) {
    const { detail } = rules.bySource;
    this.turns = new Turns(detail);
    this.uses = { name: rules.usesName, maxUses: 0, seconds: MONTH_SECONDS, detail };
  }

  /**
   * Judges an attempt. Those of one source are judged one after the other.
   *
   * @param judge gets whether the source has used the target before
   * @throws Throttled when a limit is reached; `judge` is not called then
   */
  async judge<T>(guess: Guess, judge: (isKnown: boolean) => Promise<Judgement<T>>): Promise<Judgement<T>> {
    const { source, target } = guess;
    return this.turns.run(source, async () => {
      const failures = [await this.countFailure(this.rules.bySource, source)];
      try {
        const isKnown = guess.isKnown === true || (await this.isUsed(guess));
        if (target !== undefined && !isKnown)
          failures.push(await this.countFailure(this.rules.byTarget, target));
        const judged = await judge(isKnown);
        if (judged.outcome === 'right') await this.giveBack(failures);
        else
          for (const { limit, count } of failures)
            if (count > 0 && count === limit.maxUses) this.rules.onLastFailure?.(limit, guess);
        return judged;
      } catch (error) {
        // A fault, or an attempt that was not judged, is no guess.
        await this.giveBack(failures);
        throw error;
      }
    });
  }

  /** Records that a source has used a target. */
  async recordUse({ source, target }: Guess): Promise<void> {
    if (target !== undefined) await this.limits.count(this.uses, `${target} ${source}`);
  }

  private async isUsed({ source, target }: Guess): Promise<boolean> {
    return target !== undefined && (await this.limits.find(this.uses, `${target} ${source}`)) > 0;
  }

  private async countFailure(limit: RateLimit, subject: string): Promise<CountedFailure> {
    return { limit, subject, count: await this.limits.take(limit, subject) };
  }

  private async giveBack(failures: readonly CountedFailure[]): Promise<void> {
    await Promise.all(failures.map(async ({ limit, subject }) => this.limits.giveBack(limit, subject)));
  }
}

interface CountedFailure {
  limit: RateLimit;
  subject: string;
  /** The failures in the window, this one included. */
  count: number;
}
