import { Injectable } from '@nestjs/common';
import {
  type AnsweredRequest,
  Database,
  type Executor,
  IdempotencyKeyRepository,
  type KeyedRequest,
} from '@portage/database';
import { PortageError } from '@portage/domain';

/** An answer, and whether it is the one that was given to the same request before: nothing was done now. */
export interface KeyedAnswer<Answer> {
  answer: Answer;
  isReplayed: boolean;
}

/**
 * Requests that may carry an `Idempotency-Key`: the answer is stored in the transaction that does the work, so that
 * the same request sent again is answered the same and does nothing. Only what was done is kept: a refused request
 * changed nothing and may be sent again, mended, under the same key.
 */
@Injectable()
export class KeyedRequests {
  constructor(
    private readonly database: Database,
    private readonly keys: IdempotencyKeyRepository,
  ) {}

  /**
   * Runs `work` in one transaction, or answers what it returned the first time. Answers are JSON.
   *
   * @throws PortageError `idempotency_key_reused` when the key came with another request
   */
  async run<Answer>(
    request: Omit<KeyedRequest, 'key'> & { key: string | undefined },
    work: (executor: Executor) => Promise<Answer>,
  ): Promise<KeyedAnswer<Answer>> {
    const { key } = request;
    return this.database.transaction(async (executor) => {
      if (key === undefined) return { answer: await work(executor), isReplayed: false };
      const keyed = { ...request, key };
      const before = answerOf<Answer>(keyed, await this.keys.lock(executor, keyed));
      if (before) return before;
      const answer = await work(executor);
      await this.keys.store(executor, keyed, answer);
      return { answer, isReplayed: false };
    });
  }

  /**
   * What was answered to the same request before, if anything, for work that must not begin a second time.
   *
   * @throws PortageError `idempotency_key_reused` when the key came with another request
   */
  async answered<Answer>(request: KeyedRequest): Promise<KeyedAnswer<Answer> | undefined> {
    return answerOf(request, await this.keys.find(this.database, request));
  }
}

function answerOf<Answer>(
  request: KeyedRequest,
  before: AnsweredRequest | undefined,
): KeyedAnswer<Answer> | undefined {
  if (!before) return undefined;
  if (before.endpoint !== request.endpoint || !before.fingerprint.equals(request.fingerprint))
    throw keyReused();
  return { answer: before.answer as Answer, isReplayed: true };
}

export function keyReused(): PortageError {
  return new PortageError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before. Use a new key for a new request.',
  );
}
