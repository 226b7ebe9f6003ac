import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, ScrapedRead } from '@portage/platform';
import { EventFeedRepository } from '../feed/event-feed.repository';
import { type StoredWebhookEndpoint, WebhookEndpointRepository } from './webhook-endpoint.repository';
import { eventsOfTypes } from '../feed/event-type';
import { WebhookMetrics } from './webhook-metrics';

/** Endpoints that are read at a time. */
const PAGE_ROWS = 200;

/** Maximum age of reported values: a slow reading is reported by a later scrape. */
const MAX_AGE_MS = 300_000;

/** Sets the metrics of webhook endpoints, which are the same on all instances. */
@Injectable()
export class ObserveWebhooks {
  private readonly scraped = new ScrapedRead(async () => this.read());
  private readAt = -Infinity;

  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly feed: EventFeedRepository,
    private readonly metrics: WebhookMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. Values of more than 5 minutes are removed. */
  async observe(): Promise<void> {
    try {
      await this.scraped.join();
    } catch {
      if (performance.now() - this.readAt < MAX_AGE_MS) return;
      this.metrics.lag.reset();
      this.metrics.disabled.reset();
    }
  }

  private async read(): Promise<void> {
    const lags: { labels: { supplier: string; endpoint: string }; seconds: number }[] = [];
    const disabled: { supplier: string; endpoint: string; reason: string }[] = [];
    for (let after = '0'; ;) {
      const page = await this.endpoints.listAll(after, PAGE_ROWS);
      const enabled = page.filter(isServed);
      const behind = new Set(
        await this.feed.findNews(
          enabled.map(({ supplierId, position }) => ({ supplierId, after: position })),
        ),
      );
      for (const endpoint of page) {
        const { supplier, supplierId, id, disabledReason } = endpoint;
        const labels = { supplier, endpoint: id };
        if (disabledReason !== null) disabled.push({ ...labels, reason: disabledReason });
        else if (isServed(endpoint))
          lags.push({ labels, seconds: behind.has(supplierId) ? await this.lagOf(endpoint) : 0 });
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE_ROWS) break;
      after = last.id;
    }
    this.metrics.lag.reset();
    this.metrics.disabled.reset();
    for (const { labels, seconds } of lags) this.metrics.lag.set(labels, seconds);
    for (const labels of disabled) this.metrics.disabled.set(labels, 1);
    this.readAt = performance.now();
  }

  /** The age of the oldest event that the endpoint has yet to get. */
  private async lagOf({ supplierId, position, types }: StoredWebhookEndpoint): Promise<number> {
    const events = eventsOfTypes(types);
    const { events: found } = await this.feed.read({ supplierId, after: position }, { events, limit: 1 });
    const [oldest] = found;
    if (!oldest) return 0;
    return Math.max(0, (this.clock.now().getTime() - new Date(oldest.occurredAt).getTime()) / 1_000);
  }
}

/** An endpoint that is not verified has no lag: nothing is sent to it. */
function isServed({ status, verifiedAt }: StoredWebhookEndpoint): boolean {
  return status === 'ENABLED' && verifiedAt !== null;
}
