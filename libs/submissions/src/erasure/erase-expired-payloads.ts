import { Inject, Injectable } from '@nestjs/common';
import { ImportProcessErasureRepository, PayloadRetentionRepository } from '@portage/imports';
import { type Clock, CLOCK, Database } from '@portage/platform';
import { SubmissionErasureRepository } from './submission-erasure.repository';

/** Payloads that are erased in one transaction. It bounds how many accounts or processes are locked at a time. */
const BATCH_SIZE = 500;
const DAY_MS = 86_400_000;

/**
 * Erases the original payloads whose retention period has ended (`supplier set --retain-payload-days`): of accounts,
 * counted from their creation, and of finished processes without an account, counted from their last change. The
 * imported accounts stay; a process loses its other personal data too, as by `EraseProcess`. Idempotent, and safe to
 * run in several workers at once.
 */
@Injectable()
export class EraseExpiredPayloads {
  constructor(
    private readonly payloads: PayloadRetentionRepository,
    private readonly processes: ImportProcessErasureRepository,
    private readonly submissions: SubmissionErasureRepository,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns the number of erased payloads */
  async run(): Promise<number> {
    let erased = 0;
    for (const { supplierId, days } of await this.payloads.retentions()) {
      const before = new Date(this.clock.now().getTime() - days * DAY_MS);
      erased += await inBatches(async () => this.payloads.erase(supplierId, before, BATCH_SIZE));
      erased += await inBatches(async () => this.eraseProcesses(supplierId, before));
    }
    return erased;
  }

  private async eraseProcesses(supplierId: number, changedBefore: Date): Promise<number> {
    return this.database.transaction(async (executor) => {
      const due = await this.processes.lockExpired(executor, supplierId, changedBefore, BATCH_SIZE);
      const erased = await this.processes.erase(executor, due, null);
      await this.submissions.erase(executor, erased);
      return erased.length;
    });
  }
}

/** Repeats `erase` until it erases less than a batch, and returns the total. */
async function inBatches(erase: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const count = await erase();
    total += count;
    if (count < BATCH_SIZE) return total;
  }
}
