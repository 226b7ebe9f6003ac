import { Injectable } from '@nestjs/common';
import {
  CountImportProcesses,
  EraseExpiredPayloads,
  ForgetFinishedRequests,
  RollOverStatementPeriods,
} from '@portage/importing';
import { Logger } from '@portage/observability';
import type { JobName } from '@portage/queues';
import type { Job } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'maintenance';

/** Takes jobs of `maintenance`: what is due at certain times. */
@Injectable()
export class MaintenanceProcessor {
  private readonly works: Record<JobName<typeof QUEUE>, () => Promise<number>>;

  constructor(
    rollOver: RollOverStatementPeriods,
    forget: ForgetFinishedRequests,
    payloads: EraseExpiredPayloads,
    counts: CountImportProcesses,
    private readonly logger: Logger,
  ) {
    this.works = {
      'statement-rollover': () => rollOver.run(),
      'forget-finished-requests': () => forget.run(),
      'erase-expired-payloads': () => payloads.run(),
      'count-import-processes': () => counts.run(),
    };
  }

  /** @throws Error with a code; what is due comes up again */
  async process(job: Job): Promise<void> {
    const about = { queue: QUEUE, jobName: job.name };
    try {
      const count = await this.works[job.name as JobName<typeof QUEUE>]();
      this.logger.info('Scheduled work is done.', { ...about, count });
    } catch (error) {
      this.logger.warning('Scheduled work has failed.', { ...about, attempt: job.attemptsMade + 1, error });
      throw new Error(failureCode(error));
    }
  }
}
