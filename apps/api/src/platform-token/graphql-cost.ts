import { Throttled } from '@portage/platform';
import { GRAPHQL_LIMITS } from './graphql-limits';

/** Bounds the memory that clients with many addresses can fill. The network that was seen first is forgotten first. */
const MAX_NETWORKS = 10_000;

interface Window {
  spentMs: number;
  endsAt: number;
}

/**
 * Counts the processor time that the queries of a network take, which needs no token. A network that has used its time
 * is refused before the body of its request is read, until its window ends.
 */
export class GraphqlCost {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly limits: { cpuMs: number; windowMs: number } = {
      cpuMs: GRAPHQL_LIMITS.maxCpuMs,
      windowMs: GRAPHQL_LIMITS.cpuWindowMs,
    },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws Throttled if the network has used its time */
  check(network: string): void {
    const window = this.windows.get(network);
    const remainingMs = window ? window.endsAt - this.now() : 0;
    if (window && remainingMs > 0 && window.spentMs >= this.limits.cpuMs)
      throw new Throttled('Your network has sent too many costly queries.', remainingMs);
  }

  /** Runs `work` and counts the time until it returns, without the time of promises. */
  measure<Result>(network: string, work: () => Result): Result {
    const start = this.now();
    try {
      return work();
    } finally {
      this.add(network, start);
    }
  }

  private add(network: string, start: number): void {
    const end = this.now();
    const window = this.windows.get(network);
    if (window && window.endsAt > end) {
      window.spentMs += end - start;
      return;
    }
    this.windows.delete(network);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size >= MAX_NETWORKS) this.windows.delete(oldest);
    this.windows.set(network, { spentMs: end - start, endsAt: start + this.limits.windowMs });
  }
}
