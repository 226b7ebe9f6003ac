import { Inject, Injectable } from '@nestjs/common';
import type { ProcessVersion, StoredSubmission } from '@portage/database';
import type { Clock } from '@portage/domain';
import { Metrics } from '@portage/observability';
import { importAccountJob, JobProducer } from '@portage/queues';
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
    { organisationId, supplier, scheduleWindowStart }: StoredSubmission,
    _batchId: string,
    accepted: (ProcessVersion & { externalAccountNumber: string })[],
  ): Promise<void> {
    if (accepted.length === 0) return;
    this.metrics.scheduled.inc({ outcome: 'created' }, accepted.length);
    const delayMs =
      scheduleWindowStart === null
        ? 0
        : Math.max(0, new Date(scheduleWindowStart).getTime() - this.clock.now().getTime());
    await this.jobs.add(
      'account-imports',
      accepted.map((process) => importAccountJob({ ...process, organisationId, supplier }, delayMs)),
    );
  }
}
