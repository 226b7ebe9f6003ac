import { type Clock } from '../clock';
import { AnswerWatch } from './answer-watch';
import { fullJitter, type RetryPolicy, retryAfterMs } from './retry-policy';
import { SharedPause } from './shared-pause';
import { type Answer, NoAnswer } from './transport';

/** The service could not be reached, or was overloaded, until the retries were exhausted. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Retries a request until the service gives a final response. Temporary failures are retried: no response, 429 and
 * 5xx. Any other status is final. Every request of this tool is idempotent: sending an account twice has no effect,
 * and after-import requests have idempotency keys.
 */
export class Retrier {
  private readonly pause: SharedPause;

  /** @param stop when aborted, attempts in progress are finished but not retried */
  constructor(
    private readonly policy: RetryPolicy,
    private readonly stop: AbortSignal,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly watch: AnswerWatch = new AnswerWatch(clock),
  ) {
    this.pause = new SharedPause(clock);
  }

  /**
   * @param overrides limits of this request that differ from the others
   * @throws Unreachable if the limits are exceeded or the tool is being stopped
   */
  async run(attempt: () => Promise<Answer>, overrides: Partial<RetryPolicy> = {}): Promise<Answer> {
    this.watch.begin();
    try {
      const answer = await this.runAttempts(attempt, { ...this.policy, ...overrides });
      this.watch.end(true);
      return answer;
    } catch (error) {
      this.watch.end(false);
      throw error;
    }
  }

  private async runAttempts(attempt: () => Promise<Answer>, policy: RetryPolicy): Promise<Answer> {
    let serverErrors = 0;
    const deadline = this.clock.now() + policy.maxDurationMs;
    for (let failures = 0; ; failures++) {
      await this.pause.wait(this.stop);
      if (this.stop.aborted) throw new Unreachable('stopped before the service responded');
      const outcome = await attemptOrReason(attempt);
      if (typeof outcome !== 'string' && !isTemporary(outcome.status)) return outcome;
      if (typeof outcome !== 'string' && outcome.status === 500) {
        serverErrors += 1;
        if (serverErrors === policy.maxServerErrors) return outcome;
      }

      const reason = typeof outcome === 'string' ? outcome : `status ${outcome.status}`;
      this.watch.recordFailure(reason);
      const retryAfter =
        typeof outcome === 'string' ? undefined : retryAfterMs(outcome.retryAfter, this.clock.now());
      // Jitter is added to the delay that the service requests, so that requests are not retried all at once.
      const wait = (retryAfter ?? 0) + fullJitter(failures, policy, this.random);
      if (failures + 1 >= policy.maxAttempts || this.clock.now() + wait > deadline) {
        throw new Unreachable(`gave up after ${failures + 1} attempts: ${reason}`);
      }
      if (typeof outcome !== 'string' && (outcome.status === 429 || outcome.status === 503)) {
        this.pause.pauseFor(retryAfter ?? wait);
      }
      await this.clock.sleep(wait, this.stop);
    }
  }
}

async function attemptOrReason(attempt: () => Promise<Answer>): Promise<Answer | string> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}
