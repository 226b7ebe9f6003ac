import { Injectable } from '@nestjs/common';
import { SendWelcomeEmail, type WelcomeEmailOutcome } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { JobPayload } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'emails';

/** Takes jobs of `emails`: one job, one e-mail. */
@Injectable()
export class EmailsProcessor {
  constructor(
    private readonly sendWelcomeEmail: SendWelcomeEmail,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws UnrecoverableError when the mail server refuses the e-mail, so that the job shows as failed
   * @throws Error when trying again may help
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const about = { queue: QUEUE, supplier: job.data.supplier, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: WelcomeEmailOutcome;
    try {
      outcome = await this.sendWelcomeEmail.run(job.data.accountId);
    } catch (error) {
      this.logger.warning('A welcome e-mail could not be sent.', {
        ...about,
        attempt: job.attemptsMade + 1,
        error,
      });
      throw new Error(failureCode(error));
    }
    this.logger.detail('A job has ended.', { ...about, status: outcome });
    if (outcome === 'refused') throw new UnrecoverableError('refused');
  }
}
