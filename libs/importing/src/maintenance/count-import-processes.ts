import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ImportProcessCountRepository } from '@portage/database';
import type { Clock } from '@portage/domain';
import { QueueDepth } from '@portage/queues';
import { CLOCK } from '../clock-token';

/** What takes so many times as long as a sweep allows is stuck. */
const SWEEPS_MISSED = 10;

/** Counts import processes by supplier and status, and those that are stuck, for the metrics of all instances. */
@Injectable()
export class CountImportProcesses {
  constructor(
    private readonly counts: ImportProcessCountRepository,
    private readonly queues: QueueDepth,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * What has been enqueued later than the job that is next in the queue merely waits for its turn. What was enqueued
   * before has been passed over, so its job is lost; the sweeper should have seen that long ago.
   *
   * @returns how many processes there are
   * @throws when the queue cannot be reached
   */
  async run(): Promise<number> {
    const { SWEEP_AFTER_MS, SWEEP_INTERVAL_MS } = this.config;
    const patience = SWEEPS_MISSED * (SWEEP_AFTER_MS + SWEEP_INTERVAL_MS);
    const now = this.clock.now().getTime();
    const nextSince = (await this.queues.waitingSince('account-imports')) ?? now;
    return this.counts.renew(new Date(Math.min(now, nextSince) - patience), new Date(now - patience));
  }
}
