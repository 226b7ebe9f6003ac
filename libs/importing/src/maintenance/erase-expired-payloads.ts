import { Inject, Injectable } from '@nestjs/common';
import { PayloadRetentionRepository } from '@portage/database';
import type { Clock } from '@portage/domain';
import { CLOCK } from '../clock-token';

/** Payloads that are erased in one statement. It bounds how many accounts are locked at a time. */
const BATCH_SIZE = 500;
const DAY_MS = 86_400_000;

/**
 * Erases the original payloads of accounts whose retention period has ended
 * (`supplier set --retain-payload-days`). The imported accounts stay. Idempotent, and safe to run in several workers at
 * once.
 */
@Injectable()
export class EraseExpiredPayloads {
  constructor(
    private readonly payloads: PayloadRetentionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns the number of erased payloads */
  async run(): Promise<number> {
    let erased = 0;
    for (const { supplierId, days } of await this.payloads.retentions()) {
      const createdBefore = new Date(this.clock.now().getTime() - days * DAY_MS);
      for (;;) {
        const count = await this.payloads.erase(supplierId, createdBefore, BATCH_SIZE);
        erased += count;
        if (count < BATCH_SIZE) break;
      }
    }
    return erased;
  }
}
