import { Inject, Injectable, Optional } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { StaleImportRepository, type StaleProcess } from '@portage/database';
import { Logger, Metrics } from '@portage/observability';
import { importAccountJob, JobProducer } from '@portage/queues';

/** The limits of one sweep. */
export interface SweepLimits {
  /** Number of processes that one step of a sweep checks. */
  batchSize: number;
  /** A sweep that finds missing jobs takes its next step at once while fewer jobs than this are in the queue. */
  minQueueDepth: number;
}

/** A step is one short statement; five steps enqueue enough jobs until the next sweep. */
const SWEEP_LIMITS: SweepLimits = { batchSize: 1_000, minQueueDepth: 5_000 };

/**
 * Enqueues unfinished import processes whose job is missing, because the queue lost it or never accepted it. An
 * accepted account is therefore always imported. Several workers may sweep at once; each takes other rows.
 */
@Injectable()
export class SweepImportProcesses {
  constructor(
    private readonly staleImports: StaleImportRepository,
    private readonly jobs: JobProducer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly limits: SweepLimits = SWEEP_LIMITS,
  ) {}

  /**
   * Runs one sweep. It checks `batchSize` processes at a time, the longest waiting first, and continues only while jobs
   * are missing and the queue is shorter than `minQueueDepth`. A process is checked once in SWEEP_AFTER_MS by all
   * sweepers together.
   *
   * @returns the number of missing jobs
   * @throws if the queue cannot be reached; the processes are checked again after SWEEP_AFTER_MS
   */
  async sweep(shouldStop: () => boolean): Promise<number> {
    const { batchSize, minQueueDepth } = this.limits;
    let missing = 0;
    for (;;) {
      // The depth is read first: if the queue cannot be reached, no process is marked as checked.
      const depth = await this.jobs.depth('account-imports');
      const stale = await this.staleImports.take(this.config.SWEEP_AFTER_MS, batchSize);
      const added = await this.addMissing(stale);
      missing += added;
      const isQueueLongEnough = depth + added >= minQueueDepth;
      if (stale.length < batchSize || added === 0 || isQueueLongEnough || shouldStop()) break;
    }
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.info('Enqueued missing jobs of import processes.', { count: missing });
    }
    return missing;
  }

  private async addMissing(stale: readonly StaleProcess[]): Promise<number> {
    if (stale.length === 0) return 0;
    return this.jobs.addMissing(
      'account-imports',
      stale.map(({ supplierCode, ...process }) => importAccountJob({ ...process, supplier: supplierCode })),
    );
  }
}
