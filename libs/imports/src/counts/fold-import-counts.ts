import { Injectable } from '@nestjs/common';
import { ImportCountRepository } from './import-count.repository';

/** Changes that one statement adds. */
const STEP_CHANGES = 10_000;

/** Statements of one run. What is left is added by the next one. */
const MAX_STEPS = 100;

/**
 * Adds the changes that statements have reported to the counts, so that few are left to sum up. The counts are exact
 * without it: it only keeps reading them cheap. Each API instance runs it every few seconds, and the maintenance each minute.
 */
@Injectable()
export class FoldImportCounts {
  constructor(private readonly counts: ImportCountRepository) {}

  /** As {@link run}, and removes minutes that are older than a week. */
  async maintain(): Promise<number> {
    await this.counts.removeOldMinutes();
    return this.run();
  }

  /**
   * Safe to repeat and to run concurrently: each change is added once.
   *
   * @returns the number of changes that were added
   */
  async run(): Promise<number> {
    let total = 0;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const count = await this.counts.fold(STEP_CHANGES);
      total += count;
      if (count < STEP_CHANGES) break;
    }
    return total;
  }
}
