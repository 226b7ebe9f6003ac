import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, Metrics, QUEUE_NAMES, ScrapedRead } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { AttentionMetrics } from './attention-metrics';
import { ActionItemsRepository } from './action-items.repository';
import { toMoment } from '../console/moments';
import { PageReads } from '../console/page-reads';
import { ViewWorkers } from '../console/view-workers';

/** For how long a submission that is not reconciled is counted. */
const SUBMISSION_SECONDS = 7 * 86_400;

/** Sets the metrics of what waits for an operator: action items of each supplier, and queues without workers. */
@Injectable()
export class ObserveAttention {
  private readonly items = new ScrapedRead(async () =>
    this.reads.run(async (reads) => ({
      suppliers: await reads.manager.find(ImportSupplierEntity, { select: { id: true, code: true } }),
      items: await this.repository.listObserved(reads),
    })),
  );
  private readonly workers = new ScrapedRead(async () => this.views.workers());

  constructor(
    private readonly reads: PageReads,
    private readonly repository: ActionItemsRepository,
    private readonly views: ViewWorkers,
    private readonly metrics: AttentionMetrics,
    private readonly ofQueues: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. A gauge that cannot be read is removed. */
  async observe(): Promise<void> {
    await Promise.all([this.observeItems(), this.observeWorkers()]);
  }

  private async observeItems(): Promise<void> {
    const { releaseWaiting, unsettledDocuments, submissionsNotReconciled } = this.metrics;
    const read = await this.items.join().catch(() => undefined);
    for (const gauge of [releaseWaiting, unsettledDocuments, submissionsNotReconciled]) gauge.reset();
    for (const { code: supplier } of read?.suppliers ?? []) {
      releaseWaiting.set({ supplier }, 0);
      unsettledDocuments.set({ supplier, state: 'MISSING' }, 0);
      unsettledDocuments.set({ supplier, state: 'REFUSED' }, 0);
      submissionsNotReconciled.set({ supplier }, 0);
    }
    for (const { kind, supplier, count, since } of read?.items ?? []) {
      const seconds = since === null ? 0 : (this.clock.now().getTime() - Date.parse(toMoment(since))) / 1_000;
      if (kind === 'accounts_awaiting_release') releaseWaiting.set({ supplier }, Math.max(0, seconds));
      else if (kind === 'documents_missing') unsettledDocuments.set({ supplier, state: 'MISSING' }, count);
      else if (kind === 'documents_refused') unsettledDocuments.set({ supplier, state: 'REFUSED' }, count);
      else if (seconds < SUBMISSION_SECONDS) submissionsNotReconciled.inc({ supplier });
    }
  }

  private async observeWorkers(): Promise<void> {
    const { queueWorkers } = this.ofQueues;
    const workers = await this.workers.join().catch(() => undefined);
    queueWorkers.reset();
    if (!workers) return;
    for (const queue of QUEUE_NAMES) queueWorkers.set({ queue }, 0);
    for (const { queue, is_consuming: isConsuming } of workers.flatMap((worker) =>
      worker.is_alive ? worker.queues : [],
    ))
      if (isConsuming) queueWorkers.inc({ queue });
  }
}
