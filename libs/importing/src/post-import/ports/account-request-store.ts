import type { NewAccountRequest, StoredAccountRequest } from '@portage/database';

/** Stores account requests. */
export abstract class AccountRequestStore {
  /**
   * Stores a request, or finds the request that it repeats: the one with the same key, else an equal one in flight.
   *
   * @returns undefined when the conflicting request was finished concurrently: submit again
   */
  abstract submit(request: NewAccountRequest): Promise<StoredAccountRequest | undefined>;
}
