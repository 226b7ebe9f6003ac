import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Counter, Gauge } from 'prom-client';

/** The metrics of payment vendors. */
@Injectable()
export class VendorMetrics {
  readonly calls: Counter;
  readonly breaker: Gauge;

  constructor({ registry }: Metrics) {
    this.calls = new Counter({
      name: 'portage_vendor_calls_total',
      help: 'Verifications of payment instructions, by vendor, outcome and error code.',
      labelNames: ['vendor', 'outcome', 'code'],
      registers: [registry],
    });
    this.breaker = new Gauge({
      name: 'portage_vendor_breaker',
      help: 'State of the circuit breaker of a payment vendor: 1 for the current state (closed, open or half-open), else 0.',
      labelNames: ['vendor', 'state'],
      registers: [registry],
    });
  }
}
