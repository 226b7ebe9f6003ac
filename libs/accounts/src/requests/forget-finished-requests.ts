import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/platform';
import { AccountRequestRepository } from './account-request.repository';
import { IdempotencyKeyRepository } from './idempotency-key.repository';

/** Rows that are deleted in one statement. */
const BATCH_SIZE = 1_000;

/** Deletes finished account requests, and the answers stored for idempotency keys, after REQUEST_MEMORY_HOURS. */
@Injectable()
export class ForgetFinishedRequests {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly keys: IdempotencyKeyRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns the number of deleted rows */
  async run(): Promise<number> {
    let deleted = 0;
    for (const repository of [this.requests, this.keys])
      for (;;) {
        const count = await repository.deleteFinished(this.config.REQUEST_MEMORY_HOURS, BATCH_SIZE);
        deleted += count;
        if (count < BATCH_SIZE) break;
      }
    return deleted;
  }
}
