import type { PendingAccountRequest } from '@portage/database';
import type { TransactionsOutcome } from '../transactions-work';

/** The worker's access to one transactions request. */
export abstract class TransactionRequests {
  /** @returns undefined where the request is finished */
  abstract start(id: string): Promise<PendingAccountRequest | undefined>;

  /**
   * Adds all transactions of the request, or none, and stores the outcome in the same commit.
   *
   * @returns `outdated` where another worker has finished the request: nothing was committed
   */
  abstract add(request: PendingAccountRequest): Promise<TransactionsOutcome['kind'] | 'outdated'>;

  /** Ends a request whose transactions cannot be added because of a fault of the service. @returns false: outdated */
  abstract fail(request: PendingAccountRequest): Promise<boolean>;
}
