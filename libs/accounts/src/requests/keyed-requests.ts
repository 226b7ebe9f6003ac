import { Injectable } from '@nestjs/common';
import { Database, type Executor, PortageError, Quotas } from '@portage/platform';
import {
  type AnsweredRequest,
  IdempotencyKeyRepository,
  type KeyedRequest,
} from './idempotency-key.repository';

/** The answer to a request. `isReplayed`: it is the stored answer to an earlier request with the same key. */
export interface KeyedAnswer<Answer> {
  answer: Answer;
  isReplayed: boolean;
}

/**
 * Performs requests that may have an `Idempotency-Key`. The answer is stored in the transaction that does the work, so
 * that a repeated request changes nothing and gets the same answer. Only successful requests are stored: a refused one
 * changed nothing, and the client may correct it and send it again with the same key.
 */
@Injectable()
export class KeyedRequests {
  constructor(
    private readonly database: Database,
    private readonly keys: IdempotencyKeyRepository,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Runs `work` in one transaction, or returns the stored answer of its first run. Answers are JSON.
   *
   * @param processIdOf the import process that `work` has written, with which the answer is erased
   * @throws PortageError `idempotency_key_reused` if the key belongs to another request, `quota_reached`
   */
  async run<Answer>(
    request: Omit<KeyedRequest, 'key'> & { key: string | undefined },
    work: (executor: Executor) => Promise<Answer>,
    processIdOf?: () => string | undefined,
  ): Promise<KeyedAnswer<Answer>> {
    const { key } = request;
    return this.database.transaction(async (executor) => {
      if (key === undefined) return { answer: await work(executor), isReplayed: false };
      const keyed = { ...request, key };
      const earlier = answerOf<Answer>(keyed, await this.keys.lock(executor, keyed));
      if (earlier) return earlier;
      await this.quotas.take('idempotency_keys', keyed, executor);
      const answer = await work(executor);
      await this.keys.store(executor, { ...keyed, processId: processIdOf?.() }, answer);
      return { answer, isReplayed: false };
    });
  }

  /**
   * Returns the stored answer to the same request, for work that must not begin a second time.
   *
   * @throws PortageError `idempotency_key_reused` if the key belongs to another request
   */
  async findAnswer<Answer>(request: KeyedRequest): Promise<KeyedAnswer<Answer> | undefined> {
    return answerOf(request, await this.keys.find(this.database, request));
  }
}

function answerOf<Answer>(
  request: KeyedRequest,
  earlier: AnsweredRequest | undefined,
): KeyedAnswer<Answer> | undefined {
  if (!earlier) return undefined;
  if (earlier.endpoint !== request.endpoint || !earlier.fingerprint.equals(request.fingerprint))
    throw buildKeyReused();
  return { answer: earlier.answer as Answer, isReplayed: true };
}

/** Builds the error for an idempotency key that belongs to another request. */
export function buildKeyReused(): PortageError {
  return new PortageError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before. Use a new key for a new request.',
  );
}
