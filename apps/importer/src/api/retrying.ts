import { type Clock } from '../clock';
import { fullJitter, type Patience, retryAfterMs } from './back-off';
import { SharedPause } from './shared-pause';
import { type Answer, NoAnswer } from './transport';

/** The service stayed out of reach, or overloaded, for as long as we were ready to wait. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Repeats a request until the service gives an answer worth having. Only "not now" is repeated: no answer, 429
 * and 5xx; any other status is the service's word on the request itself. Every request this tool makes may be
 * repeated: posting the same account twice changes nothing, and what is sent after the import carries a key.
 */
export class Retrying {
  private readonly pause: SharedPause;

  /** @param stop when aborted, what is being tried is finished but not tried again */
  constructor(
    private readonly patience: Patience,
    private readonly stop: AbortSignal,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.pause = new SharedPause(clock);
  }

  /**
   * @param differently where this request calls for more or less patience than others
   * @throws Unreachable when patience runs out or the tool is being stopped
   */
  async until(attempt: () => Promise<Answer>, differently: Partial<Patience> = {}): Promise<Answer> {
    const patience = { ...this.patience, ...differently };
    let faults = 0;
    const deadline = this.clock.now() + patience.forMs;
    for (let failures = 0; ; failures++) {
      await this.pause.passed(this.stop);
      if (this.stop.aborted) throw new Unreachable('stopped before the service answered');
      const outcome = await answerOrReason(attempt);
      if (typeof outcome !== 'string' && !isNotNow(outcome.status)) return outcome;
      if (typeof outcome !== 'string' && outcome.status === 500) {
        faults += 1;
        if (faults === patience.faults) return outcome;
      }

      const reason = typeof outcome === 'string' ? outcome : `status ${outcome.status}`;
      const asked =
        typeof outcome === 'string' ? undefined : retryAfterMs(outcome.retryAfter, this.clock.now());
      // The jitter comes on top of what the service asks for: otherwise all would return in the same instant.
      const wait = (asked ?? 0) + fullJitter(failures, patience, this.random);
      if (failures + 1 >= patience.attempts || this.clock.now() + wait > deadline) {
        throw new Unreachable(`gave up after ${failures + 1} attempts: ${reason}`);
      }
      if (typeof outcome !== 'string' && (outcome.status === 429 || outcome.status === 503)) {
        this.pause.hold(asked ?? wait);
      }
      await this.clock.sleep(wait, this.stop);
    }
  }
}

async function answerOrReason(attempt: () => Promise<Answer>): Promise<Answer | string> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

function isNotNow(status: number): boolean {
  return status === 429 || status >= 500;
}
