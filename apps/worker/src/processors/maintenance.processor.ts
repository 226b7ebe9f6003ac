import { Injectable } from '@nestjs/common';
import { EraseExpiredPayloads, ForgetFinishedRequests, RollOverStatementPeriods } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { JobName } from '@portage/queues';
import type { Job } from 'bullmq';

const QUEUE = 'maintenance';

/** Takes jobs of `maintenance`: what is due at certain times. */
@Injectable()
export class MaintenanceProcessor {
  private readonly works: Record<JobName<typeof QUEUE>, () => Promise<number>>;

  constructor(
    rollOver: RollOverStatementPeriods,
    forget: ForgetFinishedRequests,
    payloads: EraseExpiredPayloads,
    private readonly logger: Logger,
  ) {
    this.works = {
      'statement-rollover': () => rollOver.run(),
      'forget-finished-requests': () => forget.run(),
      'erase-expired-payloads': () => payloads.run(),
    };
  }

  async process(job: Job): Promise<void> {
    const count = await this.works[job.name as JobName<typeof QUEUE>]();
    this.logger.info('Scheduled work is done.', { queue: QUEUE, status: job.name, count });
  }
}
