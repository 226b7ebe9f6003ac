import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Counter, Gauge, Histogram } from 'prom-client';

/** The metrics of webhooks. */
@Injectable()
export class WebhookMetrics {
  readonly attempts: Histogram;
  readonly failures: Counter;
  readonly lag: Gauge;
  readonly disabled: Gauge;

  constructor({ registry }: Metrics) {
    this.attempts = new Histogram({
      name: 'portage_webhook_attempt_duration_seconds',
      help: 'Duration of attempts to deliver events to webhook endpoints in seconds, by outcome: delivered or failed.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    this.failures = new Counter({
      name: 'portage_webhook_failures_total',
      help: 'Failed attempts to deliver events to webhook endpoints, by code: http_5xx, timeout, address_refused and others.',
      labelNames: ['code'],
      registers: [registry],
    });
    this.lag = new Gauge({
      name: 'portage_webhook_lag_seconds',
      help: 'Age in seconds of the oldest event that an enabled webhook endpoint has yet to get; 0 if there is none.',
      labelNames: ['supplier', 'endpoint'],
      registers: [registry],
    });
    this.disabled = new Gauge({
      name: 'portage_webhook_endpoint_disabled',
      help: 'Disabled webhook endpoints, each with the value 1, by reason: failing, gone or manual.',
      labelNames: ['supplier', 'endpoint', 'reason'],
      registers: [registry],
    });
  }
}
