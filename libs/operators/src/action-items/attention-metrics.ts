import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Gauge } from 'prom-client';

/** The metrics of what needs the attention of an operator. */
@Injectable()
export class AttentionMetrics {
  readonly releaseWaiting: Gauge;
  readonly unsettledDocuments: Gauge;
  readonly submissionsNotReconciled: Gauge;

  constructor({ registry }: Metrics) {
    this.releaseWaiting = new Gauge({
      name: 'portage_release_waiting_seconds',
      help: 'Time in seconds for which the oldest account of a supplier has waited for its release; 0 if none waits.',
      labelNames: ['supplier'],
      registers: [registry],
    });
    this.unsettledDocuments = new Gauge({
      name: 'portage_unsettled_documents',
      help: 'Number of documents that are missing or refused for good, by supplier and state; at most 10,000 are counted.',
      labelNames: ['supplier', 'state'],
      registers: [registry],
    });
    this.submissionsNotReconciled = new Gauge({
      name: 'portage_submissions_not_reconciled',
      help: 'Number of submissions that have ended within the last 7 days and do not agree with their control totals, at most 20 of a supplier.',
      labelNames: ['supplier'],
      registers: [registry],
    });
  }
}
