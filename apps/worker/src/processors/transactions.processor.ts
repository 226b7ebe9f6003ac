import { Injectable } from '@nestjs/common';
import { type AddingOutcome, ProcessTransactionsRequest } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { AccountRequestJobPayload, JobPayload } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'transactions';

/** Takes jobs of `transactions`: one request, or several that came together; of each all transactions or none. */
@Injectable()
export class TransactionsProcessor {
  constructor(
    private readonly addTransactions: ProcessTransactionsRequest,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws UnrecoverableError when a request has ended in a fault of ours, so that the job shows as failed
   * @throws Error when trying again may help; after the last attempt the sweeper brings the requests back
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const requests = 'requests' in job.data ? job.data.requests : [job.data];
    const ended: (AddingOutcome | Error)[] = [];
    // Taken up again, one by one: a request that brings its worker down has no other with it.
    if (job.attemptsMade > 0 || job.stalledCounter > 0)
      for (const request of requests) ended.push(await this.end(job, request));
    else ended.push(...(await Promise.all(requests.map(async (request) => this.end(job, request)))));
    const failure = ended.find((one) => one instanceof Error);
    if (failure) throw failure;
    if (ended.includes('failed')) throw new UnrecoverableError('error');
  }

  /** @returns an Error when trying again may help */
  private async end(
    job: Job,
    { requestId, supplier }: AccountRequestJobPayload,
  ): Promise<AddingOutcome | Error> {
    const about = { queue: QUEUE, supplier, ...(job.id ? { jobId: job.id } : {}) };
    try {
      const outcome = await this.addTransactions.run(requestId);
      this.logger.detail('A request has ended.', { ...about, status: outcome });
      return outcome;
    } catch (error) {
      const attempt = job.attemptsMade + 1;
      this.logger.warning('A job met a failure that will pass.', { ...about, attempt, error });
      return new Error(failureCode(error));
    }
  }
}
