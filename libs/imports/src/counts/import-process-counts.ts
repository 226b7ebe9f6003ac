import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, Metrics, QueueDepth, ScrapedRead } from '@portage/platform';
import { ImportCountRepository } from './import-count.repository';

/** A process is stuck after this many sweeps that should have enqueued it. */
const MAX_MISSED_SWEEPS = 10;

/** Sets the metrics of import processes to the counts of the moment, by supplier and status, and how many are stuck. */
@Injectable()
export class ImportProcessCounts {
  private readonly counted = new ScrapedRead(async () => this.counts.countProcesses());
  private readonly stuck = new ScrapedRead(async () => this.countStuck());

  constructor(
    private readonly counts: ImportCountRepository,
    private readonly queues: QueueDepth,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. A gauge that cannot be read is removed. */
  async observe(): Promise<void> {
    await Promise.all([this.observeProcesses(), this.observeStuck()]);
  }

  private async observeProcesses(): Promise<void> {
    const { processes } = this.metrics;
    const counts = await this.counted.join().catch(() => []);
    processes.reset();
    for (const { supplier, status, count } of counts) processes.set({ supplier, status }, count);
  }

  private async observeStuck(): Promise<void> {
    const { stuckProcesses } = this.metrics;
    const stuck = await this.stuck.join().catch(() => undefined);
    if (stuck === undefined) stuckProcesses.remove();
    else stuckProcesses.set(stuck);
  }

  /**
   * A process that was enqueued after the next job of the queue waits for its turn and is not stuck. One that was enqueued
   * earlier has lost its job, and the sweeper should have replaced it.
   */
  private async countStuck(): Promise<number> {
    const { SWEEP_AFTER_MS, SWEEP_INTERVAL_MS } = this.config;
    const toleranceMs = MAX_MISSED_SWEEPS * (SWEEP_AFTER_MS + SWEEP_INTERVAL_MS);
    const now = this.clock.now().getTime();
    const nextSince = (await this.queues.waitingSince('account-imports')) ?? now;
    return this.counts.countStuck(
      new Date(Math.min(now, nextSince) - toleranceMs),
      new Date(now - toleranceMs),
    );
  }
}
