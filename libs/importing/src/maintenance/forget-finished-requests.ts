import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { AccountRequestRepository, IdempotencyKeyRepository } from '@portage/database';

const ROWS_AT_ONCE = 1_000;

/** Deletes finished requests, and answers kept for an Idempotency-Key, after REQUEST_MEMORY_HOURS. */
@Injectable()
export class ForgetFinishedRequests {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly keys: IdempotencyKeyRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns how many were deleted */
  async run(): Promise<number> {
    let forgotten = 0;
    for (const repository of [this.requests, this.keys])
      for (;;) {
        const count = await repository.forget(this.config.REQUEST_MEMORY_HOURS, ROWS_AT_ONCE);
        forgotten += count;
        if (count < ROWS_AT_ONCE) break;
      }
    return forgotten;
  }
}
