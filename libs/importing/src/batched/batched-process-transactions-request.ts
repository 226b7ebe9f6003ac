import { Injectable } from '@nestjs/common';
import { Logger } from '@portage/observability';
import { type AddingOutcome, ProcessTransactionsRequest } from '../transactions/process-transactions-request';
import { BatchedTransactionRequests } from './batched-transaction-requests';

/** Starts concurrent jobs as one cohort, so that their statements share batches. */
@Injectable()
export class BatchedProcessTransactionsRequest extends ProcessTransactionsRequest {
  constructor(
    private readonly batchedRequests: BatchedTransactionRequests,
    logger: Logger,
  ) {
    super(batchedRequests, logger);
  }

  override async run(requestId: string): Promise<AddingOutcome> {
    return this.batchedRequests.cohorts.run(async () => super.run(requestId), requestId);
  }
}
