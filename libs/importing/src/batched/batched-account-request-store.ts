import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  AccountRequestRepository,
  type AccountRequestSubmission,
  inFlightKey,
  type NewAccountRequest,
} from '@portage/database';
import { AccountRequestStore } from '../post-import/ports/account-request-store';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/**
 * Coalesces concurrent inserts of small account requests into one statement. A request with an idempotency key is
 * inserted alone, because its conflicts are found by another index.
 */
@Injectable()
export class BatchedAccountRequestStore extends AccountRequestStore {
  private readonly submissions: Batcher<NewAccountRequest, AccountRequestSubmission>;

  constructor(
    private readonly requests: AccountRequestRepository,
    @Inject(BATCH_POLICY) private readonly policy: BatchPolicy,
  ) {
    super();
    this.submissions = new Batcher<NewAccountRequest, AccountRequestSubmission>(
      async (batch) => requests.submitAll(batch),
      { ...buildCommonLimits(policy), maxSize: policy.maxInsertRows, keyOf: inFlightKey },
    );
  }

  override async submit(request: NewAccountRequest): Promise<AccountRequestSubmission> {
    const { idempotencyKey, input } = request;
    const isShared = idempotencyKey === undefined && input.length <= this.policy.maxSharedInputLength;
    return isShared ? this.submissions.add(request) : this.requests.submit(request);
  }
}
