import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, QueueDepth } from '@portage/platform';
import { ImportProcessCountRepository } from './import-process-count.repository';
import { RollUpImportProcesses } from './roll-up-import-processes';

/** A process is stuck after this many sweeps that should have enqueued it. */
const MAX_MISSED_SWEEPS = 10;

/**
 * Counts import processes by supplier and status, and those that are stuck, for the metrics of all instances, and adds up
 * the last minute for the pages of operators.
 */
@Injectable()
export class CountImportProcesses {
  constructor(
    private readonly counts: ImportProcessCountRepository,
    private readonly queues: QueueDepth,
    private readonly rollup: RollUpImportProcesses,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Stores the current counts. A process that was enqueued after the next job of the queue waits for its turn and is
   * not stuck. One that was enqueued earlier has lost its job, and the sweeper should have replaced it.
   *
   * @returns the number of processes
   * @throws if the queue cannot be reached
   */
  async run(): Promise<number> {
    const { SWEEP_AFTER_MS, SWEEP_INTERVAL_MS } = this.config;
    const toleranceMs = MAX_MISSED_SWEEPS * (SWEEP_AFTER_MS + SWEEP_INTERVAL_MS);
    const now = this.clock.now().getTime();
    const nextSince = (await this.queues.waitingSince('account-imports')) ?? now;
    const count = await this.counts.renew(
      new Date(Math.min(now, nextSince) - toleranceMs),
      new Date(now - toleranceMs),
    );
    // In the same job, because it adds what the counts have grown by.
    await this.rollup.run();
    return count;
  }
}
