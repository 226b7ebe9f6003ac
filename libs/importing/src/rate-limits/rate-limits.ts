import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { RateLimitRepository, type UsedLimit } from '@portage/database';
import { Logger } from '@portage/observability';
import { withTimeout } from '@portage/queues';
import { CountsHere } from './counts-here';
import { Throttled } from './throttled';

/** At most so many uses in a span of time that starts with the first. */
export interface RateLimit {
  name: string;
  /** 0: no limit. */
  most: number;
  seconds: number;
  /** What a client is told. */
  detail: string;
}

/** How long nobody asks for the shared counts after they could not be had. */
const LEFT_ALONE_MS = 1_000;

/**
 * Limits that all instances of the API keep together (DESIGN 3, promise 5). Whoever is over a limit is refused from
 * memory and costs no question; while the shared counts cannot be had, each instance counts for itself.
 */
@Injectable()
export class RateLimits {
  private readonly here = new CountsHere();
  private aloneUntil = 0;
  /** Questions that nobody waits for any more. They hold connections, so there must not be more and more. */
  private overdue = 0;

  constructor(
    private readonly counts: RateLimitRepository,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'RATE_LIMIT_TIMEOUT_MS'>,
  ) {}

  /** Counts one use. @throws Throttled when it is one too many */
  async take(limit: RateLimit, subject: string): Promise<void> {
    if (limit.most === 0) return;
    refuseAbove(limit, limit.most - 1, this.here.find(keyOf(limit, subject)));
    refuseAbove(limit, limit.most, await this.count(limit, subject));
  }

  /** Counts one use and refuses nothing: for what is known to count only once it is over. */
  async count(limit: RateLimit, subject: string): Promise<UsedLimit> {
    const key = keyOf(limit, subject);
    const used = await this.shared(() => this.counts.add(key, limit.seconds));
    return used === 'not to be had' ? this.here.add(key, limit.seconds) : this.here.set(key, used);
  }

  /** Refuses when nothing is left, and counts nothing. @throws Throttled */
  async check(limit: RateLimit, subject: string): Promise<void> {
    if (limit.most === 0) return;
    refuseAbove(limit, limit.most - 1, this.here.find(keyOf(limit, subject)));
    refuseAbove(limit, limit.most - 1, await this.used(limit, subject));
  }

  /** What has been used in the span that is under way, if any is. */
  async used(limit: RateLimit, subject: string): Promise<UsedLimit | undefined> {
    const key = keyOf(limit, subject);
    const used = await this.shared(() => this.counts.find(key));
    if (used === 'not to be had') return this.here.find(key);
    return used && this.here.set(key, used);
  }

  /** As {@link take}, by what this instance has counted alone: for what is not worth a question. @throws Throttled */
  takeHere(limit: RateLimit, subject: string): void {
    if (limit.most > 0) refuseAbove(limit, limit.most, this.here.add(keyOf(limit, subject), limit.seconds));
  }

  private async shared<T>(ask: () => Promise<T>): Promise<T | 'not to be had'> {
    if (this.overdue > 0 || performance.now() < this.aloneUntil) return 'not to be had';
    const question = ask();
    try {
      return await withTimeout(this.config.RATE_LIMIT_TIMEOUT_MS, question);
    } catch (error) {
      this.aloneUntil = performance.now() + LEFT_ALONE_MS;
      this.overdue += 1;
      void question.catch(() => undefined).finally(() => (this.overdue -= 1));
      this.logger.warning('The shared counts of limits cannot be had. This instance counts for itself.', {
        error,
      });
      return 'not to be had';
    }
  }
}

function keyOf({ name }: RateLimit, subject: string): string {
  return `${name} ${subject}`;
}

function refuseAbove({ detail }: RateLimit, most: number, used: UsedLimit | undefined): void {
  if (used && used.count > most) throw new Throttled(detail, used.milliseconds);
}
