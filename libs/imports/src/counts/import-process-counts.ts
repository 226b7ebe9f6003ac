import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, QueueDepth, ScrapedRead } from '@portage/platform';
import { ImportMetrics } from './import-metrics';
import { ImportCountRepository } from './import-count.repository';

/** A process is stuck after this many sweeps that should have enqueued it. */
const MAX_MISSED_SWEEPS = 10;

/** Sets the metrics of import processes and of lines to the counts of the moment, and those of stuck and stalled ones. */
@Injectable()
export class ImportProcessCounts {
  private readonly counted = new ScrapedRead(async () => this.counts.countAll());
  private readonly stalled = new ScrapedRead(async () => this.counts.readStalled());
  private readonly stuck = new ScrapedRead(async () => this.countStuck());

  constructor(
    private readonly counts: ImportCountRepository,
    private readonly queues: QueueDepth,
    private readonly metrics: ImportMetrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. A gauge that cannot be read is removed. */
  async observe(): Promise<void> {
    await Promise.all([this.observeCounts(), this.observeStalled(), this.observeStuck()]);
  }

  private async observeCounts(): Promise<void> {
    const { processes, submissionLines } = this.metrics;
    const counts = await this.counted.join().catch(() => []);
    processes.reset();
    submissionLines.reset();
    for (const { supplier, kind, count } of counts) {
      if (kind === 'LINE') submissionLines.set({ supplier, outcome: 'accepted' }, count);
      else if (kind === 'LINE_REFUSED') submissionLines.set({ supplier, outcome: 'refused' }, count);
      // A staged account is PENDING until a request processes it.
      else processes.inc({ supplier, status: kind === 'STAGED' ? 'PENDING' : kind }, count);
    }
  }

  private async observeStalled(): Promise<void> {
    const { organisationStalled } = this.metrics;
    const organisations = await this.stalled.join().catch(() => []);
    organisationStalled.reset();
    for (const { organisation, seconds } of organisations) organisationStalled.set({ organisation }, seconds);
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
