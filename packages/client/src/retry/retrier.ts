import type { Clock } from '../clock';
import { fullJitter, retryAfterMs, type RetryPolicy } from './retry-policy';
import { SharedPause } from './shared-pause';
import { PortageError } from '../portage-error';
import { type Answer, NoAnswer } from '../transport/transport';

/** The service could not be reached, or was overloaded, until the retries were exhausted. The cause is the last failure. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Retries a request until the service gives a final response. Temporary failures are retried: no response, 429 and
 * 5xx. Any other status is final. Every request is idempotent: sending an account twice has no effect, and requests that
 * add data have idempotency keys.
 */
export class Retrier {
  private readonly pause: SharedPause;

  /** @param stop when aborted, attempts in progress are finished but not retried */
  constructor(
    private readonly policy: RetryPolicy,
    private readonly stop: AbortSignal,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.pause = new SharedPause(clock);
  }

  /**
   * @param overrides limits of this request that differ from the others
   * @param signal when aborted, this request is not retried
   * @throws Unreachable if the limits are exceeded or the program is being stopped
   */
  async run(
    attempt: () => Promise<Answer>,
    overrides: Partial<RetryPolicy> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const policy = { ...this.policy, ...overrides };
    const stop = signal ? AbortSignal.any([this.stop, signal]) : this.stop;
    const deadline = this.clock.now() + policy.maxDurationMs;
    for (let failures = 0; ; failures++) {
      await this.pause.wait(stop);
      if (stop.aborted) throw new Unreachable('stopped before the service responded');
      const outcome = await attemptOrFailure(attempt);
      const answer = outcome instanceof NoAnswer ? undefined : outcome;
      if (answer !== undefined && !isTemporary(answer.status)) return answer;
      const reason = outcome instanceof NoAnswer ? outcome.message : `status ${outcome.status}`;
      const retryAfter = retryAfterMs(answer?.retryAfter, this.clock.now());
      // Jitter is added to the delay that the service requests, so that requests are not retried all at once.
      const wait = (retryAfter ?? 0) + fullJitter(failures, policy, this.random);
      if (failures + 1 >= policy.maxAttempts || this.clock.now() + wait > deadline) {
        const cause = outcome instanceof NoAnswer ? outcome : new PortageError(outcome);
        throw new Unreachable(`gave up after ${failures + 1} attempts: ${reason}`, { cause });
      }
      if (answer?.status === 429 || answer?.status === 503) {
        this.pause.pauseFor(retryAfter ?? wait);
      }
      await this.clock.sleep(wait, stop);
    }
  }
}

async function attemptOrFailure(attempt: () => Promise<Answer>): Promise<Answer | NoAnswer> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  }
}

function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}
