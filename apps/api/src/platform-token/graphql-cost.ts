import { Throttled } from '@portage/platform';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { GRAPHQL_LIMITS } from './graphql-limits';

/**
 * Counts the processor time that the queries of a network take, which needs no token. A network that has used its time
 * is refused before the body of its request is read, until its window ends.
 */
export class GraphqlCost {
  /** In microseconds. */
  private readonly times: RateLimiterMemory;

  constructor(
    limits: { cpuMs: number; windowMs: number } = {
      cpuMs: GRAPHQL_LIMITS.maxCpuMs,
      windowMs: GRAPHQL_LIMITS.cpuWindowMs,
    },
    private readonly now: () => number = () => performance.now(),
  ) {
    this.times = new RateLimiterMemory({ points: limits.cpuMs * 1_000, duration: limits.windowMs / 1_000 });
  }

  /** @throws Throttled if the network has used its time */
  async check(network: string): Promise<void> {
    const used = await this.times.get(network);
    if (used && used.remainingPoints === 0 && used.msBeforeNext > 0)
      throw new Throttled('Your network has sent too many costly queries.', used.msBeforeNext);
  }

  /** Runs `work` and counts the time until it returns, without the time of promises. */
  measure<Result>(network: string, work: () => Result): Result {
    const start = this.now();
    try {
      return work();
    } finally {
      void this.times.penalty(network, Math.ceil((this.now() - start) * 1_000));
    }
  }
}
