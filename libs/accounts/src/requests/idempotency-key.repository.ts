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

/** The stored answer under a key, and the request that it answers. */
export interface AnsweredRequest {
  endpoint: string;
  fingerprint: Buffer;
  answer: unknown;
}

const lockKey: Statement = {
  name: 'lock-idempotency-key',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($2, $1))`,
};

const find: Statement = {
  name: 'find-idempotency-key',
  // Requests that a worker performs keep their key in another table. A key belongs to one request of an organisation.
  text: `
    SELECT endpoint, fingerprint, answer FROM idempotency_key WHERE organisation_id = $1 AND key = $2
    UNION ALL
    SELECT kind, fingerprint, NULL FROM account_request WHERE organisation_id = $1 AND idempotency_key = $2`,
};

const store: Statement = {
  name: 'store-idempotency-key',
  text: `
    INSERT INTO idempotency_key (organisation_id, key, endpoint, fingerprint, answer, account_id, process_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

const deleteOld: Statement = {
  name: 'delete-old-idempotency-keys',
  text: `
    DELETE FROM idempotency_key WHERE (organisation_id, key) IN (
      SELECT organisation_id, key FROM idempotency_key WHERE created_at < now() - $1 * interval '1 hour'
      ORDER BY created_at LIMIT $2
      FOR UPDATE SKIP LOCKED)
    RETURNING key`,
};

/**
 * Locks a key until the transaction ends: requests with one key run one by one, whichever table they are stored in. A
 * statement after this one sees what the last holder committed; the locking statement itself would not.
 */
export async function lockIdempotencyKey(
  executor: Executor,
  organisationId: number,
  key: string,
): Promise<void> {
  await executor.run(lockKey, [organisationId, key]);
}

/** Answers to requests with an `Idempotency-Key`. */
@Injectable()
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** The answer under this key, if any. */
  async find(
    executor: Executor,
    { organisationId, key }: Pick<KeyedRequest, 'organisationId' | 'key'>,
  ): Promise<AnsweredRequest | undefined> {
    return (await executor.run<AnsweredRequest>(find, [organisationId, key]))[0];
  }

  /** As {@link find}, under the lock of {@link lockIdempotencyKey}. */
  async lock(
    executor: Executor,
    request: Pick<KeyedRequest, 'organisationId' | 'key'>,
  ): Promise<AnsweredRequest | undefined> {
    await lockIdempotencyKey(executor, request.organisationId, request.key);
    return this.find(executor, request);
  }

  /** Stores the answer in the transaction that did the work. */
  async store(executor: Executor, request: KeyedRequest, answer: unknown): Promise<void> {
    const { organisationId, key, endpoint, fingerprint, accountId, processId } = request;
    await executor.run(store, [
      organisationId,
      key,
      endpoint,
      fingerprint,
      JSON.stringify(answer),
      accountId ?? null,
      processId ?? null,
    ]);
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
