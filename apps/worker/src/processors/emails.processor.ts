import { Processor, WorkerHost } from '@nestjs/bullmq';
import { SendWelcomeEmail, type WelcomeEmailOutcome } from '@portage/accounts';
import { type JobPayload, Logger } from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failAttempt, fieldsOf } from './job-attempt';

const QUEUE = 'emails';

/** Processes jobs of `emails`: each sends one e-mail. */
@Processor(QUEUE)
export class EmailsProcessor extends WorkerHost {
  constructor(
    private readonly sendWelcomeEmail: SendWelcomeEmail,
    private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the mail server refuses the e-mail, so that the job shows as failed
   * @throws Error if a retry may succeed
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['send-welcome-email']);
    let outcome: WelcomeEmailOutcome;
    try {
      outcome = await this.sendWelcomeEmail.run(job.data.accountId);
    } catch (error) {
      throw failAttempt(this.logger, job, error);
    }
    this.logger.debug('A job has ended.', { ...fieldsOf(job), status: outcome });
    if (outcome === 'refused') throw new UnrecoverableError('refused');
  }
}
