import { Processor, WorkerHost } from '@nestjs/bullmq';
import { ImportAccount } from '@portage/importing';
import { Logger, Metrics } from '@portage/observability';
import { type JobPayload, queueSettings } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failureCode } from './failure-code';

const QUEUE = 'account-imports';

/** Processes jobs of `account-imports`: each imports one version of an import process. */
@Processor(QUEUE)
export class AccountImportsProcessor extends WorkerHost {
  constructor(
    private readonly importAccount: ImportAccount,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the process has ended without an account, so that the job shows as failed
   * @throws Error if a retry may succeed
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['import-account']);
    const { processId, version, supplier } = job.data;
    const fields = { queue: QUEUE, supplier, processId, version, ...(job.id ? { jobId: job.id } : {}) };
    const isLastAttempt = job.attemptsMade + 1 >= queueSettings[QUEUE].attempts;
    let outcome: Awaited<ReturnType<ImportAccount['run']>>;
    try {
      outcome = await this.importAccount.run({ processId, version }, isLastAttempt);
    } catch (error) {
      this.logger.warning('A job attempt failed with a transient error.', {
        ...fields,
        attempt: job.attemptsMade + 1,
        error,
      });
      this.metrics.imports.inc({ outcome: 'retried' });
      throw new Error(failureCode(error));
    }
    this.metrics.imports.inc({ outcome: outcome.kind });
    this.logger.detail('A job has ended.', { ...fields, status: outcome.kind });
    if (outcome.kind === 'errored') throw new UnrecoverableError(outcome.code);
  }
}
