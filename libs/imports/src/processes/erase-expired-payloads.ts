import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK } from '@portage/platform';
import { ImportProcessErasureRepository } from './import-process-erasure.repository';
import { PayloadRetentionRepository } from './payload-retention.repository';

/** Payloads that are erased in one statement. It bounds how many accounts or processes are locked at a time. */
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
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns the number of erased payloads */
  async run(): Promise<number> {
    let erased = 0;
    for (const { supplierId, days } of await this.payloads.retentions()) {
      const before = new Date(this.clock.now().getTime() - days * DAY_MS);
      erased += await inBatches(async () => this.payloads.erase(supplierId, before, BATCH_SIZE));
      erased += await inBatches(async () => this.processes.eraseExpired(supplierId, before, BATCH_SIZE));
    }
    return erased;
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
