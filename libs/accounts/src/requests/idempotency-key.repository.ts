import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';

/** A request with an idempotency key. A repetition with the same key is not performed again. */
export interface KeyedRequest {
  organisationId: number;
  /** The `Idempotency-Key` header. */
  key: string;
  endpoint: string;
  fingerprint: Buffer;
  /** The account of the request, with which the answer is erased; undefined if there is none yet. */
  accountId?: string;
  /** The import process of the request, with which the answer is erased. */
  processId?: string | undefined;
}

/** The request that has a key. */
export interface StoredKey {
  endpoint: string;
  fingerprint: Buffer;
  /** The stored answer; null if a worker performs the request. */
  answer: unknown;
  /** The request that a worker performs; null if there is none. */
  requestId: string | null;
  /** The outcome of that request; null while it is pending. */
  outcome: unknown;
}

type KeyName = Pick<KeyedRequest, 'organisationId' | 'key'>;

const find: Statement = {
  name: 'find-idempotency-key',
  text: `
    SELECT endpoint, stored.fingerprint, answer, request_id, outcome
    FROM idempotency_key stored LEFT JOIN account_request request ON request.id = request_id
    WHERE stored.organisation_id = $1 AND key = $2`,
};

const claim: Statement = {
  name: 'claim-idempotency-key',
  // Waits for the transaction that has inserted the key, if it has not ended.
  text: `
    INSERT INTO idempotency_key (organisation_id, key, endpoint, fingerprint) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING
    RETURNING key`,
};

const storeAnswer: Statement = {
  name: 'store-idempotent-answer',
  text: `
    UPDATE idempotency_key SET answer = $3, account_id = $4, process_id = $5
    WHERE organisation_id = $1 AND key = $2`,
};

const attachRequest: Statement = {
  name: 'attach-request-to-idempotency-key',
  text: 'UPDATE idempotency_key SET request_id = $3 WHERE organisation_id = $1 AND key = $2',
};

const release: Statement = {
  name: 'release-idempotency-key',
  text: 'DELETE FROM idempotency_key WHERE organisation_id = $1 AND key = $2',
};

const deleteOld: Statement = {
  name: 'delete-old-idempotency-keys',
  // The key of a request that a worker performs is deleted with the request.
  text: `
    DELETE FROM idempotency_key WHERE (organisation_id, key) IN (
      SELECT organisation_id, key FROM idempotency_key
      WHERE request_id IS NULL AND created_at < now() - $1 * interval '1 hour'
      ORDER BY created_at LIMIT $2
      FOR UPDATE SKIP LOCKED)
    RETURNING key`,
};

/** The idempotency keys of organisations. A key belongs to one request, whatever its endpoint. */
@Injectable()
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** The request that has this key, if it is committed. */
  async find(executor: Executor, { organisationId, key }: KeyName): Promise<StoredKey | undefined> {
    return (await executor.run<StoredKey>(find, [organisationId, key]))[0];
  }

  /**
   * Takes a key for a request, in its transaction and before anything else is written: a concurrent request with the key
   * waits until the transaction ends.
   *
   * @returns false if another request has it
   */
  async claim(
    executor: Executor,
    { organisationId, key, endpoint, fingerprint }: KeyedRequest,
  ): Promise<boolean> {
    return (await executor.run(claim, [organisationId, key, endpoint, fingerprint])).length > 0;
  }

  /** Stores the answer to the request that has claimed its key. */
  async storeAnswer(
    executor: Executor,
    { organisationId, key, accountId, processId }: KeyedRequest,
    answer: unknown,
  ): Promise<void> {
    const values = [organisationId, key, JSON.stringify(answer), accountId ?? null, processId ?? null];
    await executor.run(storeAnswer, values);
  }

  /** Makes the outcome of a request that a worker performs the answer under a key. */
  async attachRequest(
    executor: Executor,
    { organisationId, key }: KeyName,
    requestId: string,
  ): Promise<void> {
    await executor.run(attachRequest, [organisationId, key, requestId]);
  }

  /** Makes a key free for another request. */
  async release(executor: Executor, { organisationId, key }: KeyName): Promise<void> {
    await executor.run(release, [organisationId, key]);
  }

  /**
   * Deletes answers that are older than `olderThanHours`, at most `limit`.
   *
   * @returns the number of deleted answers
   */
  async deleteFinished(olderThanHours: number, limit: number): Promise<number> {
    return (await this.database.run(deleteOld, [olderThanHours, limit])).length;
  }
}
