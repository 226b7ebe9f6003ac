import { Injectable } from '@nestjs/common';
import { Database, deleteOldest, type Executor, translateErrors } from '@portage/platform';
import { IdempotencyKeyEntity } from './idempotency-key.entity';

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

/** The idempotency keys of organisations. A key belongs to one request, whatever its endpoint. */
@Injectable()
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** The request that has this key, if it is committed. */
  async find(executor: Executor, { organisationId, key }: KeyName): Promise<StoredKey | undefined> {
    const found = await translateErrors(
      executor.manager.findOne(IdempotencyKeyEntity, {
        select: {
          organisationId: true,
          key: true,
          endpoint: true,
          fingerprint: true,
          answer: true,
          requestId: true,
          request: { id: true, outcome: true },
        },
        where: { organisationId, key },
        relations: { request: true },
      }),
    );
    if (!found) return undefined;
    const { endpoint, fingerprint, answer, requestId, request } = found;
    return { endpoint, fingerprint, answer, requestId, outcome: request?.outcome ?? null };
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
    // Waits for the transaction that has inserted the key, if it has not ended.
    const inserted = await executor.manager
      .createQueryBuilder()
      .insert()
      .into(IdempotencyKeyEntity)
      .values({ organisationId, key, endpoint, fingerprint })
      .orIgnore()
      .returning('key')
      .execute();
    return (inserted.raw as unknown[]).length > 0;
  }

  /** Stores the answer to the request that has claimed its key. */
  async storeAnswer(
    executor: Executor,
    { organisationId, key, accountId, processId }: KeyedRequest,
    answer: unknown,
  ): Promise<void> {
    const stored = { answer: answer as object, accountId: accountId ?? null, processId: processId ?? null };
    await executor.manager.update(IdempotencyKeyEntity, { organisationId, key }, stored);
  }

  /** Makes the outcome of a request that a worker performs the answer under a key. */
  async attachRequest(
    executor: Executor,
    { organisationId, key }: KeyName,
    requestId: string,
  ): Promise<void> {
    await executor.manager.update(IdempotencyKeyEntity, { organisationId, key }, { requestId });
  }

  /** Makes a key free for another request. */
  async release(executor: Executor, { organisationId, key }: KeyName): Promise<void> {
    await executor.manager.delete(IdempotencyKeyEntity, { organisationId, key });
  }

  /**
   * Deletes answers that are older than `olderThanHours`, at most `limit`.
   *
   * @returns the number of deleted answers
   */
  async deleteFinished(olderThanHours: number, limit: number): Promise<number> {
    // The key of a request that a worker performs is deleted with the request.
    return deleteOldest(this.database.manager, IdempotencyKeyEntity, {
      where: `old.requestId IS NULL AND old.createdAt < now() - :olderThanHours * interval '1 hour'`,
      parameters: { olderThanHours },
      orderBy: 'createdAt',
      limit,
    });
  }
}
