import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type Executor, type Statement } from '../connection/database';

/** A request that names itself, so that sending it again is not doing it again. */
export interface KeyedRequest {
  organisationId: number;
  /** The `Idempotency-Key` header. */
  key: string;
  endpoint: string;
  fingerprint: Buffer;
  /** The account that it is about, with which the answer is erased; undefined where there is none yet. */
  accountId?: string;
}

/** What was answered under a key, and to which request. */
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
  text: 'SELECT endpoint, fingerprint, answer FROM idempotency_key WHERE organisation_id = $1 AND key = $2',
};

const store: Statement = {
  name: 'store-idempotency-key',
  text: `
    INSERT INTO idempotency_key (organisation_id, key, endpoint, fingerprint, answer, account_id)
    VALUES ($1, $2, $3, $4, $5, $6)`,
};

const forget: Statement = {
  name: 'forget-idempotency-keys',
  text: `
    DELETE FROM idempotency_key WHERE (organisation_id, key) IN (
      SELECT organisation_id, key FROM idempotency_key WHERE created_at < now() - $1 * interval '1 hour'
      ORDER BY created_at LIMIT $2
      FOR UPDATE SKIP LOCKED)
    RETURNING key`,
};

/** Answers by the key that their request came with. */
@Injectable()
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** The answer that was given under this key, if any. */
  async find(
    executor: Executor,
    { organisationId, key }: KeyedRequest,
  ): Promise<AnsweredRequest | undefined> {
    return (await executor.run<AnsweredRequest & QueryResultRow>(find, [organisationId, key]))[0];
  }

  /** The same, for who will store the first: requests with this key wait for each other until the transaction ends. */
  async lock(executor: Executor, request: KeyedRequest): Promise<AnsweredRequest | undefined> {
    await executor.run(lockKey, [request.organisationId, request.key]);
    return this.find(executor, request);
  }

  /** Stores the answer with the work that led to it. */
  async store(executor: Executor, request: KeyedRequest, answer: unknown): Promise<void> {
    const { organisationId, key, endpoint, fingerprint, accountId } = request;
    const values = [organisationId, key, endpoint, fingerprint, JSON.stringify(answer), accountId ?? null];
    await executor.run(store, values);
  }

  /** @returns how many answers, given so many hours ago, were deleted */
  async forget(olderThanHours: number, most: number): Promise<number> {
    return (await this.database.run(forget, [olderThanHours, most])).length;
  }
}
