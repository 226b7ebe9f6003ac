import type { PortageError } from '../errors/portage-error';
import type { RateLimit, RateLimits, ReservedUse } from './rate-limits';
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
    this.checkLocally(guess);
    return this.turns.run(source, async () => {
      const ofSource = await this.limits.reserve(this.rules.bySource, source);
      const uses = [{ limit: this.rules.bySource, use: ofSource }];
      try {
        const isKnown = guess.isKnown === true || (await this.isUsed(guess));
        if (target !== undefined && !isKnown) {
          const limit = this.rules.byTarget;
          uses.push({ limit, use: await this.limits.reserve(limit, target) });
        }
        const judged = await judge(isKnown);
        if (judged.outcome === 'right') await takeBack(uses);
        else for (const one of uses) this.keep(one, guess);
        return judged;
      } catch (error) {
        // A fault, or an attempt that was not judged, is no guess.
        await takeBack(uses);
        throw error;
      }
    });
  }

  /**
   * Checks the limit of the source by what this instance knows, without a query.
   *
   * @throws Throttled if no failure is left
   */
  checkLocally({ source }: Guess): void {
    this.limits.checkLocally(this.rules.bySource, source);
  }

  /** Records that a source has used a target. */
  async recordUse({ source, target }: Guess): Promise<void> {
    if (target !== undefined) await this.limits.count(this.uses, `${target} ${source}`);
  }

  private async isUsed({ source, target }: Guess): Promise<boolean> {
    return (
      target !== undefined && (await this.limits.findUsed(this.uses, `${target} ${source}`)) !== undefined
    );
  }

  private keep({ limit, use }: CountedUse, guess: Guess): void {
    use.keep();
    if (use.count > 0 && use.count === limit.maxUses) this.rules.onLastFailure?.(limit, guess);
  }
}

interface CountedUse {
  limit: RateLimit;
  use: ReservedUse;
}

async function takeBack(uses: readonly CountedUse[]): Promise<void> {
  await Promise.all(uses.map(async ({ use }) => use.takeBack()));
}
