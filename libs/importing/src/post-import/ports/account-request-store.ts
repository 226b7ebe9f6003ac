import type { AccountRequestSubmission, NewAccountRequest } from '@portage/database';

/** Stores account requests. */
export abstract class AccountRequestStore {
  /**
   * Stores a request, or finds the request that it repeats: the one with the same key, else an equal one in flight.
   */
  abstract submit(request: NewAccountRequest): Promise<AccountRequestSubmission>;
}
