import { Processor, WorkerHost } from '@nestjs/bullmq';
import { ImportAccount, PerformProcessingRequest } from '@portage/importing';
import { Logger, Metrics } from '@portage/observability';
import { type JobPayload, queueSettings } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failureCode } from './failure-code';

const QUEUE = 'account-imports';

/** The result of a job, with the code of a process that has ended without an account. */
interface Outcome {
  kind: string;
  code?: string;
}

/**
 * Processes jobs of `account-imports`: each imports one version of an import process, by itself or because a request
 * processes a staged account.
 */
@Processor(QUEUE)
export class AccountImportsProcessor extends WorkerHost {
  constructor(
    private readonly importAccount: ImportAccount,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly performRequest: PerformProcessingRequest,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the process has ended without an account, so that the job shows as failed
   * @throws Error if a retry may succeed
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['import-account', 'process-account']);
    const { data } = job;
    const { supplier } = data;
    const subject = 'requestId' in data ? {} : { processId: data.processId, version: data.version };
    const fields = { queue: QUEUE, supplier, ...subject, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: Outcome;
    try {
      outcome = await this.perform(data, job.attemptsMade + 1 >= queueSettings[QUEUE].attempts);
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
    if (outcome.code !== undefined) throw new UnrecoverableError(outcome.code);
  }

  /** An error of a staged account is its client's answer, and its job completes. */
  private async perform(data: JobPayload<typeof QUEUE>, isLastAttempt: boolean): Promise<Outcome> {
    if ('requestId' in data) return { kind: await this.performRequest.run(data.requestId, isLastAttempt) };
    const { processId, version } = data;
    return this.importAccount.run({ processId, version }, isLastAttempt);
  }
}
