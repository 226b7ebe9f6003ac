import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type JobPayload, Logger } from '@portage/platform';
import { PerformAdditions } from '@portage/submissions';
import type { Job } from 'bullmq';
import { assertJobName, failAttempt, MAX_BATCH_STALLS } from './job-attempt';

const QUEUE = 'additions';

/** Processes jobs of `additions`: each performs some hundred lines of a submission. */
@Processor(QUEUE)
export class AdditionsProcessor extends WorkerHost {
  constructor(
    private readonly additions: PerformAdditions,
    private readonly logger: Logger,
  ) {
    super();
  }

  /** @throws Error if a retry may succeed; after the last attempt the sweeper enqueues the additions again */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['perform-additions']);
    try {
      // One of them may crash its worker each time. Alone it does not take others with it.
      await this.additions.perform(job.data, job.stalledCounter >= MAX_BATCH_STALLS);
    } catch (error) {
      throw failAttempt(this.logger, job, error);
    }
  }
}
