import { Processor, WorkerHost } from '@nestjs/bullmq';
import { ForgetFinishedRequests, RollOverStatementPeriods } from '@portage/accounts';
import { EraseWebhookAttempts, FinishSubmissions } from '@portage/events';
import { FoldImportCounts } from '@portage/imports';
import { type JobName, Logger, Queues } from '@portage/platform';
import { EraseExpiredPayloads } from '@portage/submissions';
import type { Job } from 'bullmq';
import { assertJobName, failureCode } from './job-attempt';

const QUEUE = 'maintenance';

/** Processes jobs of `maintenance`: each runs one scheduled use case. */
@Processor(QUEUE)
export class MaintenanceProcessor extends WorkerHost {
  private readonly tasks: Record<JobName<typeof QUEUE>, () => Promise<number>>;

  constructor(
    rollOver: RollOverStatementPeriods,
    forget: ForgetFinishedRequests,
    payloads: EraseExpiredPayloads,
    counts: FoldImportCounts,
    submissions: FinishSubmissions,
    webhookAttempts: EraseWebhookAttempts,
    queues: Queues,
    private readonly logger: Logger,
  ) {
    super();
    this.tasks = {
      'statement-rollover': () => rollOver.run(),
      'forget-finished-requests': () => forget.run(),
      'erase-expired-payloads': () => payloads.run(),
      'count-import-processes': () => counts.maintain(),
      'finish-submissions': () => submissions.run(),
      'erase-webhook-attempts': () => webhookAttempts.run(),
      'remove-completed-jobs': () => queues.removeCompleted(new Date()),
    };
  }

  /** @throws Error with a code; the next scheduled job does the same work */
  async process(job: Job): Promise<void> {
    assertJobName(job, Object.keys(this.tasks) as JobName<typeof QUEUE>[]);
    const fields = { queue: QUEUE, jobName: job.name };
    try {
      const count = await this.tasks[job.name]();
      this.logger.log('A scheduled job has finished.', { ...fields, count });
    } catch (error) {
      this.logger.warn('A scheduled job has failed.', { ...fields, attempt: job.attemptsMade + 1, error });
      throw new Error(failureCode(error));
    }
  }
}
