import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { PaymentVendors, type VendorObservation } from '@portage/accounts';
import { WorkerHeartbeatRepository } from './worker-heartbeat.repository';
import type { WorkerReport } from './worker-report';

/** Stores what this worker reports about itself: its queues, and the vendors whose breakers it has in memory. */
@Injectable()
export class ReportWorker {
  private readonly id = randomUUID();
  private readonly startedAt = new Date().toISOString();

  constructor(
    private readonly heartbeats: WorkerHeartbeatRepository,
    private readonly vendors: PaymentVendors,
  ) {}

  /** @throws DatabaseUnavailable; the next report repeats it */
  async report(release: string, queues: WorkerReport['queues']): Promise<void> {
    const report: WorkerReport = { queues, vendors: this.vendors.observe().map(toReport) };
    await this.heartbeats.beat({ id: this.id, host: hostname(), release, startedAt: this.startedAt, report });
  }

  /** Removes this worker from the list, because it stops. */
  async remove(): Promise<void> {
    await this.heartbeats.remove(this.id);
  }
}

const toReport = ({ isConfigured, ...vendor }: VendorObservation): WorkerReport['vendors'][number] => ({
  ...vendor,
  is_configured: isConfigured,
});
