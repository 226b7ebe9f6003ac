import { Injectable } from '@nestjs/common';
import { ImportAccount } from '@portage/importing';
import { Logger, Metrics } from '@portage/observability';
import { type JobPayload, queueSettings } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'account-imports';

/** Takes jobs of `account-imports`: one job, one use case, one outcome. */
@Injectable()
export class AccountImportsProcessor {
  constructor(
    private readonly importAccount: ImportAccount,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @throws UnrecoverableError when the process has ended without an account, so that the job shows as failed
   * @throws Error when trying again may help
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const { processId, version, supplier } = job.data;
    const about = { queue: QUEUE, supplier, processId, version, ...(job.id ? { jobId: job.id } : {}) };
    const isLastAttempt = job.attemptsMade + 1 >= queueSettings[QUEUE].attempts;
    let outcome: Awaited<ReturnType<ImportAccount['run']>>;
    try {
      outcome = await this.importAccount.run({ processId, version }, isLastAttempt);
    } catch (error) {
      this.logger.warning('A job met a failure that will pass.', {
        ...about,
        attempt: job.attemptsMade + 1,
        error,
      });
      this.metrics.imports.inc({ outcome: 'retried' });
      throw new Error(failureCode(error));
    }
    this.metrics.imports.inc({ outcome: outcome.kind });
    this.logger.detail('A job has ended.', { ...about, status: outcome.kind });
    if (outcome.kind === 'errored') throw new UnrecoverableError(outcome.code);
  }
}
