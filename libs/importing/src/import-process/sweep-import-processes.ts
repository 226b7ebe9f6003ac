import { Inject, Injectable, Optional } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { StaleImportRepository, type StaleProcess } from '@portage/database';
import { Logger, Metrics } from '@portage/observability';
import { importAccountJob, JobProducer } from '@portage/queues';

export interface SweepLimits {
  /** Processes that one step of a sweep takes. */
  batchSize: number;
  /** A sweep that finds jobs missing goes on at once while fewer jobs than this are in the queue. */
  minQueueDepth: number;
}

/** A step is one short statement; five steps keep the workers busy until the next sweep. */
const SWEEP_LIMITS: SweepLimits = { batchSize: 1_000, minQueueDepth: 5_000 };

/**
 * Keeps the promise behind a 201 when the queue has lost a job or never got it: enqueues every unfinished process
 * again whose job is gone. Many workers may sweep at once; each takes other rows.
 */
@Injectable()
export class SweepImportProcesses {
  constructor(
    private readonly unfinished: StaleImportRepository,
    private readonly jobs: JobProducer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly limits: SweepLimits = SWEEP_LIMITS,
  ) {}

  /**
   * One sweep. It looks at `batchSize` processes at a time, those that have waited longest first, and goes on only
   * while jobs are missing and workers would soon be idle without them (`minQueueDepth`). No process is looked at
   * twice within SWEEP_AFTER_MS, by however many sweepers.
   *
   * @returns how many jobs were missing
   * @throws when the queue cannot be reached; what was taken comes up again after SWEEP_AFTER_MS
   */
  async sweep(shouldStop: () => boolean): Promise<number> {
    const { batchSize, minQueueDepth } = this.limits;
    let missing = 0;
    for (;;) {
      // Asked first: while the queue is away there is nothing to do, and nothing to mark as done.
      const depth = await this.jobs.depth('account-imports');
      const late = await this.unfinished.take(this.config.SWEEP_AFTER_MS, batchSize);
      const added = await this.addMissing(late);
      missing += added;
      const isFullEnough = depth + added >= minQueueDepth;
      if (late.length < batchSize || added === 0 || isFullEnough || shouldStop()) break;
    }
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.info('Enqueued processes whose job was missing.', { count: missing });
    }
    return missing;
  }

  private async addMissing(late: readonly StaleProcess[]): Promise<number> {
    if (late.length === 0) return 0;
    return this.jobs.addMissing(
      'account-imports',
      late.map(({ processId, version, supplierCode, externalAccountNumber }) =>
        importAccountJob({ processId, version, supplier: supplierCode, externalAccountNumber }),
      ),
    );
  }
}
