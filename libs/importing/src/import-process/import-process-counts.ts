import { Injectable } from '@nestjs/common';
import { ImportProcessCountRepository } from '@portage/database';
import { Metrics } from '@portage/observability';
import { SCRAPE_TIMEOUT_MS, withTimeout } from '@portage/queues';

/** Without a worker nobody counts. */
const OUT_OF_DATE_SECONDS = 300;

/** Tells the metrics what was last counted: a few rows, however many processes there are. */
@Injectable()
export class ImportProcessCounts {
  private reading: Promise<void> | undefined;

  constructor(
    private readonly counts: ImportProcessCountRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Never fails, and takes SCRAPE_TIMEOUT_MS at most. What is not known is left out rather than out of date. */
  async observe(): Promise<void> {
    const { processes, stuckProcesses } = this.metrics;
    // A scrape must not ask again while the last one's question is still before the database.
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    try {
      await withTimeout(SCRAPE_TIMEOUT_MS, this.reading);
    } catch {
      processes.reset();
      stuckProcesses.remove();
    }
  }

  private async read(): Promise<void> {
    const { processes, stuckProcesses } = this.metrics;
    const counted = await this.counts.read(OUT_OF_DATE_SECONDS);
    processes.reset();
    for (const { supplier, status, count } of counted) processes.set({ supplier, status }, count);
    if (counted.length === 0) stuckProcesses.remove();
    else stuckProcesses.set(counted.reduce((sum, { stuck }) => sum + stuck, 0));
  }
}
