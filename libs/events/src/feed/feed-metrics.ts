import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Gauge } from 'prom-client';

/** The metric of the event feed. */
@Injectable()
export class FeedMetrics {
  readonly heldBack: Gauge;

  constructor({ registry }: Metrics) {
    this.heldBack = new Gauge({
      name: 'portage_event_feed_held_back_seconds',
      help: 'Age in seconds of the oldest transaction in progress with an id, in any database of the server: the feed of events shows nothing that was written since. 0 if there is none.',
      registers: [registry],
    });
  }
}
