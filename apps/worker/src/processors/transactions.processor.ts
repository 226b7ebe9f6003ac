import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type AddingOutcome, ProcessTransactionsRequest } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { AccountRequestJobPayload, JobPayload } from '@portage/queues';
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
   * Performs the requests of a job of release 0.1.0 one by one. Its retry skips the requests that are finished.
   *
   * @throws UnrecoverableError if a request has ended with an internal error, so that the job shows as failed
   * @throws Error if a retry may succeed; after the last attempt the sweeper enqueues the requests again
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['add-transactions', 'add-transactions-together']);
    const requests = 'requests' in job.data ? job.data.requests : [job.data];
    const outcomes: AddingOutcome[] = [];
    for (const request of requests) outcomes.push(await this.perform(request, job));
    if (outcomes.includes('failed')) throw new UnrecoverableError('error');
  }

  private async perform(
    { requestId, supplier }: AccountRequestJobPayload,
    { id, attemptsMade }: Job,
  ): Promise<AddingOutcome> {
    const fields = { queue: QUEUE, supplier, ...(id ? { jobId: id } : {}) };
    try {
      const outcome = await this.processRequest.run(requestId);
      this.logger.detail('A job has ended.', { ...fields, status: outcome });
      return outcome;
    } catch (error) {
      const attempt = attemptsMade + 1;
      this.logger.warning('A job attempt failed with a transient error.', { ...fields, attempt, error });
      throw new Error(failureCode(error));
    }
  }
}
