import { Injectable } from '@nestjs/common';
import { type AddingOutcome, AddTransactions } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { JobPayload } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'transactions';

/** Takes jobs of `transactions`: one job, one request, all of its transactions or none. */
@Injectable()
export class TransactionsProcessor {
  constructor(
    private readonly addTransactions: AddTransactions,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws UnrecoverableError when the request has ended in a fault of ours, so that the job shows as failed
   * @throws Error when trying again may help; after the last attempt the sweeper brings the request back
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const { requestId, supplier } = job.data;
    const about = { queue: QUEUE, supplier, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: AddingOutcome;
    try {
      outcome = await this.addTransactions.run(requestId);
    } catch (error) {
      const attempt = job.attemptsMade + 1;
      this.logger.warning('A job met a failure that will pass.', { ...about, attempt, error });
      throw new Error(failureCode(error));
    }
    this.logger.detail('A job has ended.', { ...about, status: outcome });
    if (outcome === 'failed') throw new UnrecoverableError('error');
  }
}
