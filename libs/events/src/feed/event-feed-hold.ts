import { Injectable } from '@nestjs/common';
import { ScrapedRead } from '@portage/platform';
import { EventFeedRepository } from './event-feed.repository';
import { FeedMetrics } from './feed-metrics';

/** Reports for how long the oldest transaction in progress has held the feeds back. */
@Injectable()
export class EventFeedHold {
  private readonly scraped = new ScrapedRead(async () => this.read());
  /** The transaction that the last scrapes have found, and when the first of them did. */
  private oldest: { transaction: string; seenAt: number } | undefined;

  constructor(
    private readonly feed: EventFeedRepository,
    private readonly metrics: FeedMetrics,
  ) {}

  /** Updates the gauge. Never fails, and takes SCRAPE_TIMEOUT_MS at most. Without an answer the gauge is removed. */
  async observe(): Promise<void> {
    try {
      await this.scraped.join();
    } catch {
      this.metrics.heldBack.remove();
    }
  }

  private async read(): Promise<void> {
    const { transaction, isHeld, seconds } = await this.feed.readHold();
    const now = performance.now();
    if (!isHeld) this.oldest = undefined;
    else if (this.oldest?.transaction !== transaction) this.oldest = { transaction, seenAt: now };
    // The start of a transaction of another role, or of a prepared one, is hidden: its age since it was seen counts.
    const seenFor = this.oldest ? (now - this.oldest.seenAt) / 1_000 : 0;
    this.metrics.heldBack.set(isHeld ? Math.max(seconds ?? 0, seenFor) : 0);
  }
}
