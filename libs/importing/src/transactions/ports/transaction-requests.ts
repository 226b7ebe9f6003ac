import type { PendingAccountRequest } from '@portage/database';
import type { TransactionsOutcome } from '../transactions-request';

/** The worker's access to one transactions request. */
export abstract class TransactionRequests {
  /**
   * Starts a request.
   *
   * @returns undefined if it is finished
   */
  abstract start(id: string): Promise<PendingAccountRequest | undefined>;

  /**
   * Adds all transactions of the request, or none, and stores the outcome in the same commit.
   *
   * @returns `outdated` where another worker has finished the request: nothing was committed
   */
  abstract add(request: PendingAccountRequest): Promise<TransactionsOutcome['kind'] | 'outdated'>;

  /**
   * Ends a request whose transactions cannot be added because of a fault of the service.
   *
   * @returns false if it was finished before
   */
  abstract fail(request: PendingAccountRequest): Promise<boolean>;
}
