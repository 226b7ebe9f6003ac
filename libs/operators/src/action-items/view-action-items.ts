import { Injectable } from '@nestjs/common';
import { SharedRuns } from '@portage/platform';
import { SearchAudit } from '../audit/search-audit';
import { ACTION_ITEM_KINDS, type ActionItemKind, type ActionItemView } from './action-items.dto';
import { ActionItemsRepository, type StoredActionItem } from './action-items.repository';
import { toMomentOrNull } from '../console/moments';
import { PageReads } from '../console/page-reads';
import type { QueueView, WorkerView } from '../console/queues.dto';
import { OperateQueues } from '../console/operate-queues';
import { ViewWorkers } from '../console/view-workers';

/** Entries of the audit among which a pause is looked for. */
const MAX_ENTRIES = 200;

/** Lists what waits for an operator. */
@Injectable()
export class ViewActionItems {
  private readonly lists = new SharedRuns<ActionItemView[]>();

  constructor(
    private readonly reads: PageReads,
    private readonly items: ActionItemsRepository,
    private readonly queues: OperateQueues,
    private readonly workers: ViewWorkers,
    private readonly audit: SearchAudit,
  ) {}

  /**
   * All items, the most urgent first. Concurrent calls share a read. While the queues do not answer, that is the only item
   * about them.
   *
   * @throws PortageError `unavailable`
   */
  async list(): Promise<ActionItemView[]> {
    return this.lists.join('', async () => {
      const [ofQueues, stored] = await Promise.all([
        this.ofQueues(),
        this.reads.run(async (reads) => this.items.list(reads)),
      ]);
      const isPaused = stored.some(({ kind }) => kind === 'supplier_paused');
      const pauses = isPaused ? await this.supplierPauses() : new Map<string, string>();
      const items = [...ofQueues, ...stored.map((item) => buildItem(item, pauses.get(item.supplier)))];
      const place = ({ kind }: ActionItemView) => ACTION_ITEM_KINDS.indexOf(kind);
      return items.toSorted((one, other) => place(one) - place(other));
    });
  }

  private async ofQueues(): Promise<ActionItemView[]> {
    const [queues, workers] = await Promise.all([
      this.queues.list().catch(() => undefined),
      this.workers.workers(),
    ]);
    if (!queues) return [QUEUES_UNAVAILABLE];
    const since = queues.some(({ paused }) => paused) ? await this.queuePauses() : new Map<string, string>();
    const waiting = queues.filter(({ paused }) => !paused);
    if (waiting.length > 0 && !workers.some((worker) => worker.is_alive)) {
      const pauses = queues.filter(({ paused }) => paused);
      return [
        buildWorkerMissing(waiting, lastSeen(workers)),
        ...pauses.map((queue) => buildQueueItem('queue_paused', queue, since.get(queue.name))),
      ];
    }
    return queues.flatMap((queue) => {
      if (queue.paused) return [buildQueueItem('queue_paused', queue, since.get(queue.name))];
      const consumers = workers.filter(({ queues: consumed }) =>
        consumed.some((one) => one.queue === queue.name && one.is_consuming),
      );
      if (consumers.some((worker) => worker.is_alive)) return [];
      return [buildQueueItem('queue_without_worker', queue, lastSeen(consumers))];
    });
  }

  /** When each supplier was paused, as far as the last entries of the audit have it. */
  private async supplierPauses(): Promise<Map<string, string>> {
    return this.lastEntries('supplier.set-status', ({ import_supplier: code }) => code);
  }

  private async queuePauses(): Promise<Map<string, string>> {
    return this.lastEntries('queue.pause', ({ subject }) => subject);
  }

  private async lastEntries(
    action: 'supplier.set-status' | 'queue.pause',
    nameOf: (entry: { import_supplier: string | null; subject: string | null }) => string | null,
  ): Promise<Map<string, string>> {
    const { items } = await this.audit.search({ action }, { limit: MAX_ENTRIES });
    // The newest is the last one of the reversed list.
    return new Map(items.toReversed().flatMap((entry) => [[nameOf(entry) ?? '', entry.occurred_at]]));
  }
}

const QUEUES_UNAVAILABLE = {
  kind: 'queues_unavailable',
  import_supplier: null,
  subject: null,
  count: 0,
  is_capped: false,
  since: null,
  id: null,
} as const satisfies ActionItemView;

const lastSeen = (workers: readonly WorkerView[]) =>
  workers
    .map(({ last_seen_at: at }) => at)
    .toSorted()
    .at(-1);

/** The accounts that wait in a queue, or its jobs. */
const waitingIn = ({ waiting, prioritized, waiting_accounts: accounts }: QueueView): number =>
  accounts ?? waiting + prioritized;

function buildQueueItem(kind: ActionItemKind, queue: QueueView, since: string | undefined): ActionItemView {
  return {
    kind,
    import_supplier: null,
    subject: queue.name,
    count: waitingIn(queue),
    is_capped: false,
    since: since ?? null,
    id: null,
  };
}

/** One cause is one item, although every queue is without a worker. */
const buildWorkerMissing = (queues: readonly QueueView[], since: string | undefined): ActionItemView => ({
  ...QUEUES_UNAVAILABLE,
  kind: 'worker_missing',
  count: queues.reduce((sum, queue) => sum + waitingIn(queue), 0),
  since: since ?? null,
});

function buildItem(item: StoredActionItem, pausedAt: string | undefined): ActionItemView {
  const { kind, supplier, subject, id, count, isCapped, since } = item;
  return {
    kind,
    import_supplier: supplier,
    subject,
    count,
    is_capped: isCapped,
    since: kind === 'supplier_paused' ? (pausedAt ?? null) : toMomentOrNull(since),
    id,
  };
}
