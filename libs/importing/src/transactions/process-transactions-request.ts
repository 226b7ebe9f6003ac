import { Injectable } from '@nestjs/common';
import { Logger } from '@portage/observability';
import { isTransient } from '../transient-failure';
import { TransactionRequests } from './ports/transaction-requests';
import type { TransactionsOutcome } from './transactions-request';

/** The result of a request. `outdated`: the request was finished already, so nothing was stored. */
export type AddingOutcome = TransactionsOutcome['kind'] | 'outdated';

/** Attempts of one request. A request that exceeds them probably crashes its workers, so it is failed. */
const MAX_ATTEMPTS = 25;

/** The worker's half of a transactions request: adds all of its transactions, or none (contract 4.3). */
@Injectable()
export class ProcessTransactionsRequest {
  constructor(
    private readonly requests: TransactionRequests,
    private readonly logger: Logger,
  ) {}

  /**
   * Safe to repeat and to run concurrently: transactions, balance, note and outcome are one commit, which only the
   * first run reaches.
   *
   * Transactions go into the stored open statement period, even if its end has passed and the scheduled job has not
   * closed it yet: the answer does not depend on when that job runs.
   *
   * @throws transient failures, which the queue retries
   */
  async run(requestId: string): Promise<AddingOutcome> {
    const request = await this.requests.start(requestId);
    if (!request) return 'outdated';
    try {
      if (request.attempt > MAX_ATTEMPTS)
        throw new RangeError(`Started ${MAX_ATTEMPTS} times without an outcome.`);
      return await this.requests.add(request);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.logger.failure('Transactions could not be added.', { error });
      return (await this.requests.fail(request)) ? 'failed' : 'outdated';
    }
  }
}
