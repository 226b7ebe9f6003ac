import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type AddingOutcome, ProcessTransactionsRequest } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { JobPayload } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failureCode } from './failure-code';

const QUEUE = 'transactions';

/** Processes jobs of `transactions`: each adds all transactions of one request, or none. */
@Processor(QUEUE)
export class TransactionsProcessor extends WorkerHost {
  constructor(
    private readonly processRequest: ProcessTransactionsRequest,
    private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the request has ended with an internal error, so that the job shows as failed
   * @throws Error if a retry may succeed; after the last attempt the sweeper enqueues the request again
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['add-transactions']);
    const { requestId, supplier } = job.data;
    const fields = { queue: QUEUE, supplier, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: AddingOutcome;
    try {
      outcome = await this.processRequest.run(requestId);
    } catch (error) {
      const attempt = job.attemptsMade + 1;
      this.logger.warning('A job attempt failed with a transient error.', { ...fields, attempt, error });
      throw new Error(failureCode(error));
    }
    this.logger.detail('A job has ended.', { ...fields, status: outcome });
    if (outcome === 'failed') throw new UnrecoverableError('error');
  }
}
