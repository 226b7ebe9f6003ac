import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ImportProcessRepository } from '@portage/database';
import { Logger, Metrics } from '@portage/observability';
import { importAccountJob, JobProducer } from '@portage/queues';

/** While fewer jobs than this are in the queue, a sweep goes on at once: workers would be idle otherwise. */
const FULL_ENOUGH = 5_000;

/**
 * Keeps the promise behind a 201 when the queue has lost a job or never got it: enqueues every unfinished process
 * again whose job is gone. Many workers may sweep at once; each takes other rows.
 */
@Injectable()
export class SweepImportProcesses {
  constructor(
    private readonly processes: ImportProcessRepository,
    private readonly jobs: JobProducer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * One sweep. Its work is bounded: SWEEP_BATCH processes at a time, and no further batch once the queue is full
   * enough or `shouldStop` says so.
   *
   * @returns how many jobs were missing
   */
  async sweep(shouldStop: () => boolean): Promise<number> {
    let missing = 0;
    for (;;) {
      // Asked first: while the queue is away there is nothing to do, and nothing to mark as done.
      const depth = await this.jobs.depth('account-imports');
      const unfinished = await this.processes.takeUnfinished(
        this.config.SWEEP_AFTER_MS,
        this.config.SWEEP_BATCH,
      );
      if (unfinished.length > 0)
        missing += await this.jobs.addMissing(
          'account-imports',
          unfinished.map(({ processId, version, supplierCode, externalAccountNumber }) =>
            importAccountJob({ processId, version, supplier: supplierCode, externalAccountNumber }),
          ),
        );
      if (unfinished.length < this.config.SWEEP_BATCH || depth > FULL_ENOUGH || shouldStop()) break;
    }
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.info('Enqueued processes whose job was missing.', { count: missing });
    }
    return missing;
  }
}
