import { Injectable } from '@nestjs/common';
import type { BreakerState } from '@portage/accounts';
import { VENDOR_CODES } from '@portage/platform';
import { type StoredWorker, WorkerHeartbeatRepository } from './worker-heartbeat.repository';
import { ALIVE_SECONDS, type WorkerReport } from './worker-report';
import { toMoment } from './moments';
import { PageReads } from './page-reads';
import type { WorkerView } from './queues.dto';
import type { VendorBreakerView } from './overview.dto';

const MAX_WORKERS = 200;

type VendorState = BreakerState | 'not_configured' | 'unknown';

/** From the best state to the worst. A worker without a key says nothing about the vendor. */
const SEVERITY: readonly VendorState[] = ['unknown', 'not_configured', 'closed', 'half-open', 'open'];

/** The workers of the installation and what they report. */
@Injectable()
export class ViewWorkers {
  constructor(
    private readonly reads: PageReads,
    private readonly heartbeats: WorkerHeartbeatRepository,
  ) {}

  /** At most 200 workers, those that were seen last first. */
  async workers(): Promise<WorkerView[]> {
    return (await this.read()).map(({ id, host, release, startedAt, seenAt, age, report }) => ({
      id,
      host,
      release,
      started_at: toMoment(startedAt),
      last_seen_at: toMoment(seenAt),
      is_alive: age < ALIVE_SECONDS,
      queues: report.queues ?? [],
    }));
  }

  /** All vendors. A breaker is in the memory of each worker, so that the worst state stands for the vendor. */
  async vendors(): Promise<VendorBreakerView[]> {
    const alive = (await this.read()).filter(({ age }) => age < ALIVE_SECONDS);
    return VENDOR_CODES.map((name) => {
      const reports = alive.flatMap(({ report }) =>
        (report.vendors ?? []).filter((vendor) => vendor.name === name),
      );
      const states = reports.map(({ is_configured: isConfigured, breaker }): VendorState =>
        isConfigured ? breaker : 'not_configured',
      );
      const worst = states.reduce(
        (state, other) => (SEVERITY.indexOf(other) > SEVERITY.indexOf(state) ? other : state),
        'unknown',
      );
      const since = reports.flatMap((report) =>
        report.breaker === worst && report.since !== null ? [report.since] : [],
      );
      return { name, breaker: worst, since: since.toSorted()[0] ?? null };
    });
  }

  private async read(): Promise<StoredWorker<Partial<WorkerReport>>[]> {
    return this.reads.run(async (reads) => this.heartbeats.list<Partial<WorkerReport>>(MAX_WORKERS, reads));
  }
}
