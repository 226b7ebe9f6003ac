import { Injectable } from '@nestjs/common';
import { Metrics, QUEUE_NAMES, ScrapedRead, type Statement } from '@portage/platform';
import { PageReads } from './page-reads';
import { ALIVE_SECONDS, type WorkerReport } from './worker-report';

/** Documents that are counted: more of them need the same action. */
const MAX_DOCUMENTS = 1_000;

/** Submissions of a supplier that are looked at, the newest first. */
const MAX_SUBMISSIONS = 100;

/** Accounts of a supplier among which one that waits for its release is looked for: those before it are rehearsals. */
const MAX_EXAMINED = 200;

interface SupplierAttention {
  supplier: string;
  releaseSeconds: number;
  missing: number;
  refused: number;
  notReconciled: number;
}

const readSuppliers: Statement = {
  name: 'read-attention-of-suppliers',
  text: `
    WITH documents AS MATERIALIZED (
      SELECT supplier_id, count(DISTINCT account_id) FILTER (WHERE state = 'MISSING') AS missing,
        count(DISTINCT account_id) FILTER (WHERE state = 'REFUSED') AS refused
      FROM (
        SELECT account_id, state FROM document WHERE state IN ('MISSING', 'REFUSED') ORDER BY id LIMIT ${MAX_DOCUMENTS}
      ) AS unsettled JOIN account ON account.id = account_id GROUP BY 1
    )
    SELECT supplier.code AS supplier, coalesce(date_part('epoch', now() - release.since), 0)::float8 AS release_seconds,
      coalesce(documents.missing, 0)::float8 AS missing, coalesce(documents.refused, 0)::float8 AS refused,
      submissions.not_reconciled::float8 AS not_reconciled
    FROM import_supplier supplier
    LEFT JOIN documents ON documents.supplier_id = supplier.id
    LEFT JOIN LATERAL (
      SELECT modified_at AS since FROM (
        SELECT modified_at, is_dry_run FROM import_process
        -- As rows, so that only the index with this order is read.
        WHERE supplier_id = supplier.id AND (import_process.status, id) > ('DRY_RUN_SUCCEEDED', 0)
          AND (import_process.status, id) <= ('DRY_RUN_SUCCEEDED', 9223372036854775807)
        ORDER BY import_process.status, id LIMIT ${MAX_EXAMINED}
      ) AS examined WHERE NOT is_dry_run LIMIT 1
    ) AS release ON true
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE NOT last_end.reconciled) AS not_reconciled
      FROM (
        SELECT id FROM submission
        WHERE supplier_id = supplier.id AND status = 'RECEIVED' AND finished_at > now() - interval '7 days'
        ORDER BY id DESC LIMIT ${MAX_SUBMISSIONS}
      ) AS finished CROSS JOIN LATERAL (
        SELECT reconciled FROM submission_event WHERE submission_id = finished.id ORDER BY number DESC LIMIT 1
      ) AS last_end
    ) AS submissions`,
};

const countWorkers: Statement = {
  name: 'count-workers-of-queues',
  text: `
    SELECT consumed.queue, count(*)::integer AS workers
    FROM worker_heartbeat
    CROSS JOIN LATERAL jsonb_to_recordset(report -> 'queues') AS consumed (queue text, is_consuming boolean)
    WHERE seen_at > now() - $1 * interval '1 second' AND consumed.is_consuming GROUP BY 1`,
};

/** Sets the metrics of what needs an operator: queues without workers, and what waits or differs for each supplier. */
@Injectable()
export class ObserveAttention {
  private readonly suppliers = new ScrapedRead(async () => this.readSuppliers());
  private readonly workers = new ScrapedRead(async () => this.countWorkers());

  constructor(
    private readonly reads: PageReads,
    private readonly metrics: Metrics,
  ) {}

  /** Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. A gauge that cannot be read is removed. */
  async observe(): Promise<void> {
    await Promise.all([this.observeSuppliers(), this.observeWorkers()]);
  }

  private async observeSuppliers(): Promise<void> {
    const { releaseWaiting, accountsWithoutDocuments, submissionsNotReconciled } = this.metrics;
    const suppliers = await this.suppliers.join().catch(() => []);
    for (const gauge of [releaseWaiting, accountsWithoutDocuments, submissionsNotReconciled]) gauge.reset();
    for (const { supplier, releaseSeconds, missing, refused, notReconciled } of suppliers) {
      releaseWaiting.set({ supplier }, releaseSeconds);
      accountsWithoutDocuments.set({ supplier, state: 'MISSING' }, missing);
      accountsWithoutDocuments.set({ supplier, state: 'REFUSED' }, refused);
      submissionsNotReconciled.set({ supplier }, notReconciled);
    }
  }

  private async observeWorkers(): Promise<void> {
    const { queueWorkers } = this.metrics;
    const counts = await this.workers.join().catch(() => undefined);
    queueWorkers.reset();
    if (counts) for (const queue of QUEUE_NAMES) queueWorkers.set({ queue }, counts.get(queue) ?? 0);
  }

  private async readSuppliers(): Promise<SupplierAttention[]> {
    return this.reads.run(async (reads) => reads.run<SupplierAttention>(readSuppliers, []));
  }

  private async countWorkers(): Promise<Map<WorkerReport['queues'][number]['queue'], number>> {
    const rows = await this.reads.run(async (reads) =>
      reads.run<{ queue: string; workers: number }>(countWorkers, [ALIVE_SECONDS]),
    );
    return new Map(rows.map(({ queue, workers }) => [queue, workers]));
  }
}
