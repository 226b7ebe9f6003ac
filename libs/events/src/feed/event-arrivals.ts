import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { Logger, Throttled } from '@portage/platform';
import { EventFeedRepository, type FollowedFeed } from './event-feed.repository';
import type { EventPosition } from './event-position';

/** How feeds are watched. Tests provide their own. */
export interface ArrivalPolling {
  /** The interval at which one statement looks for news of all watched feeds, in milliseconds. */
  intervalMs: number;
  /** Readers that wait in this process at a time. */
  maxWaiting: number;
}

/** The polling of production: an event is seen well within a second of its commit. */
const ARRIVAL_POLLING: ArrivalPolling = { intervalMs: 250, maxWaiting: 1_000 };

/** The pause after which a refused reader should try again. */
const RETRY_AFTER_MS = 5_000;

/** A reader that waits for a feed. */
interface Waiter extends FollowedFeed {
  wake: () => void;
}

/**
 * Watches the feeds that readers wait for. While a reader waits, one statement for all of them runs at an interval;
 * otherwise none. A waiting reader holds no database connection.
 */
@Injectable()
export class EventArrivals implements OnApplicationShutdown {
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly feed: EventFeedRepository,
    private readonly logger: Logger,
    @Optional() private readonly polling: ArrivalPolling = ARRIVAL_POLLING,
  ) {}

  /** Readers that wait at the moment. */
  get waitingCount(): number {
    return this.waiters.size;
  }

  /**
   * Waits until the feed has something in or after the transaction of a position, or `signal` is aborted, or the time is
   * over.
   *
   * @throws Throttled if too many readers wait in this process
   */
  async wait(
    { supplierId, after }: { supplierId: number; after: EventPosition },
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    if (this.waiters.size >= this.polling.maxWaiting)
      throw new Throttled('Too many readers wait for events at the moment.', RETRY_AFTER_MS);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timeout);
        signal.removeEventListener('abort', wake);
        this.waiters.delete(waiter);
        resolve();
      };
      const waiter: Waiter = { supplierId, after, wake };
      const timeout = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake, { once: true });
      this.waiters.add(waiter);
      this.timer ??= this.scheduleTick();
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    for (const { wake } of [...this.waiters]) wake();
  }

  private scheduleTick(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.tick().finally(() => {
        this.timer = this.waiters.size > 0 ? this.scheduleTick() : undefined;
      });
    }, this.polling.intervalMs);
  }

  private async tick(): Promise<void> {
    if (this.waiters.size === 0) return;
    const waiters = [...this.waiters];
    try {
      const news = new Set(await this.feed.findNews(earliestOf(waiters)));
      for (const { supplierId, wake } of waiters) if (news.has(supplierId)) wake();
    } catch (error) {
      this.logger.warn('New events could not be looked for; the next look follows.', { error });
    }
  }
}

/** Each feed once, with the earliest position that a reader waits at. */
function earliestOf(waiters: readonly FollowedFeed[]): FollowedFeed[] {
  const earliest = new Map<number, FollowedFeed>();
  for (const { supplierId, after } of waiters) {
    const known = earliest.get(supplierId);
    if (!known || BigInt(after.transaction) < BigInt(known.after.transaction))
      earliest.set(supplierId, { supplierId, after });
  }
  return [...earliest.values()];
}
