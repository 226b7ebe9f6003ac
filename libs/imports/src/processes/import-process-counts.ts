import { Injectable } from '@nestjs/common';
import { Metrics, ScrapedRead } from '@portage/platform';
import { ImportProcessCountRepository } from './import-process-count.repository';

/** Maximum age of reported counts. Workers renew the counts, so they grow old while no worker runs. */
const MAX_AGE_SECONDS = 300;

/** Sets the metrics to the latest stored counts of import processes, one row for each supplier and status. */
@Injectable()
export class ImportProcessCounts {
  private readonly scraped = new ScrapedRead(async () => this.read());

  constructor(
    private readonly counts: ImportProcessCountRepository,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Updates the gauges. Never fails, and takes SCRAPE_TIMEOUT_MS at most. Without current counts the gauges are
   * removed.
   */
  async observe(): Promise<void> {
    const { processes, stuckProcesses } = this.metrics;
    try {
      await this.scraped.join();
    } catch {
      processes.reset();
      stuckProcesses.remove();
    }
  }

  private async read(): Promise<void> {
    const { processes, stuckProcesses } = this.metrics;
    const counts = await this.counts.read(MAX_AGE_SECONDS);
    processes.reset();
    for (const { supplier, status, count } of counts) processes.set({ supplier, status }, count);
    if (counts.length === 0) stuckProcesses.remove();
    else stuckProcesses.set(counts.reduce((sum, { stuck }) => sum + stuck, 0));
  }
}
