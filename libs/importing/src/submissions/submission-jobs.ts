import { Inject, Injectable } from '@nestjs/common';
import type { ProcessVersion, StoredSubmission } from '@portage/database';
import type { Clock } from '@portage/domain';
import { Metrics } from '@portage/observability';
import { importAccountsJob, JobProducer } from '@portage/queues';
import { CLOCK } from '../clock-token';

/** Adds the jobs of stored batches. A job that the queue does not accept is added by the sweeper. */
@Injectable()
export class SubmissionJobs {
  constructor(
    private readonly jobs: JobProducer,
    private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Adds the job of the accepted accounts of a batch, after the batch was committed. */
  async add(
    { id: submissionId, organisationId, supplier, scheduleWindowStart }: StoredSubmission,
    batchId: string,
    processes: (ProcessVersion & { externalAccountNumber: string })[],
  ): Promise<void> {
    if (processes.length === 0) return;
    this.metrics.scheduled.inc({ outcome: 'created' }, processes.length);
    const delayMs =
      scheduleWindowStart === null
        ? 0
        : Math.max(0, new Date(scheduleWindowStart).getTime() - this.clock.now().getTime());
    const job = importAccountsJob({ organisationId, supplier, submissionId, batchId, processes }, delayMs);
    await this.jobs.add('account-imports', [job]);
  }
}
