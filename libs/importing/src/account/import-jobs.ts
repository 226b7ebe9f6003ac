import { Inject, Injectable } from '@nestjs/common';
import type { ProcessVersion } from '@portage/database';
import type { Clock } from '@portage/domain';
import { importAccountJob, JobProducer } from '@portage/queues';
import { CLOCK } from '../clock-token';
import type { AccountLabel } from '../follow-ups/account-follow-ups';

/** Adds the jobs of single versions of import processes. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly jobs: JobProducer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Adds the job of a committed version, which starts with its schedule window. Never throws. */
  async add(version: ProcessVersion, label: AccountLabel, scheduleWindowStart: Date | null): Promise<void> {
    const delayMs = scheduleWindowStart
      ? Math.max(0, scheduleWindowStart.getTime() - this.clock.now().getTime())
      : 0;
    await this.jobs.add('account-imports', [importAccountJob({ ...version, ...label }, delayMs)]);
  }
}
