import { Inject, Injectable } from '@nestjs/common';
import { PayloadRetentionRepository } from '@portage/database';
import type { Clock } from '@portage/domain';
import { CLOCK } from '../clock-token';

/** Payloads in one statement: it holds the locks of their accounts. */
const PAYLOADS_AT_ONCE = 500;
const DAY_MS = 86_400_000;

/**
 * Erases the original payloads of accounts that were created longer ago than their supplier keeps them
 * (`supplier set --retain-payload-days`). Nothing reads them any more: what was created from them stays. Safe to run
 * at any time and by several workers at once.
 */
@Injectable()
export class EraseExpiredPayloads {
  constructor(
    private readonly payloads: PayloadRetentionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns how many payloads were erased */
  async run(): Promise<number> {
    let erased = 0;
    for (const { supplierId, days } of await this.payloads.retentions()) {
      const createdBefore = new Date(this.clock.now().getTime() - days * DAY_MS);
      for (;;) {
        const count = await this.payloads.erase(supplierId, createdBefore, PAYLOADS_AT_ONCE);
        erased += count;
        if (count < PAYLOADS_AT_ONCE) break;
      }
    }
    return erased;
  }
}
