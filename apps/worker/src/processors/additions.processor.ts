import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type JobPayload, Logger } from '@portage/platform';
import { PerformAdditions } from '@portage/submissions';
import type { Job } from 'bullmq';
import { assertJobName, failureCode } from './failure-code';

const QUEUE = 'additions';

/** Times that the worker of a batch may die before its additions are performed one by one. */
const MAX_BATCH_STALLS = 2;

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
    const { data, attemptsMade, stalledCounter } = job;
    try {
      // One of them may crash its worker each time. Alone it does not take others with it.
      await this.additions.perform(data, stalledCounter >= MAX_BATCH_STALLS);
    } catch (error) {
      const fields = { queue: QUEUE, supplier: data.supplier, attempt: attemptsMade + 1 };
      this.logger.warn('A job attempt failed with a transient error.', { ...fields, error });
      throw new Error(failureCode(error));
    }
  }
}
