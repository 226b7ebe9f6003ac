import { Injectable } from '@nestjs/common';
import { Database, type Executor, PortageError, Quotas } from '@portage/platform';
import { IdempotencyKeyRepository, type KeyedRequest, type StoredKey } from './idempotency-key.repository';

/** A key is claimed again if the request that had it was erased or refused at the same time. */
const MAX_CLAIMS = 5;

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
      const earlier = await this.claim(executor, keyed);
      if (earlier) return { answer: earlier.answer as Answer, isReplayed: true };
      const answer = await work(executor);
      await this.keys.storeAnswer(executor, { ...keyed, processId: processIdOf?.() }, answer);
      return { answer, isReplayed: false };
    });
  }

  /**
   * Returns the stored answer to the same request, for work that must not begin a second time.
   *
   * @throws PortageError `idempotency_key_reused` if the key belongs to another request
   */
  async findAnswer<Answer>(request: KeyedRequest): Promise<KeyedAnswer<Answer> | undefined> {
    const earlier = requireSame(request, await this.keys.find(this.database, request));
    return earlier && { answer: earlier.answer as Answer, isReplayed: true };
  }

  /**
   * Takes the key for a request that its transaction performs, or returns the same request that has it. Waits while the
   * transaction of another request with the key runs: if that is rolled back, this request gets the key.
   *
   * @throws PortageError `idempotency_key_reused`, `quota_reached`
   */
  async claim(executor: Executor, request: KeyedRequest): Promise<StoredKey | undefined> {
    for (let nth = 0; nth < MAX_CLAIMS; nth += 1) {
      const earlier = requireSame(request, await this.keys.find(executor, request));
      if (earlier) return earlier;
      // Before the key is stored, because it would be counted. Stored answers are repeated at the limit too.
      await this.quotas.take('idempotency_keys', request, 1, executor);
      if (await this.keys.claim(executor, request)) return undefined;
    }
    throw new PortageError('unavailable', 'Other requests use the same Idempotency-Key. Send it again.');
  }
}

function requireSame(request: KeyedRequest, earlier: StoredKey | undefined): StoredKey | undefined {
  const isSame =
    !earlier || (earlier.endpoint === request.endpoint && earlier.fingerprint.equals(request.fingerprint));
  if (!isSame) throw buildKeyReused();
  return earlier;
}

/** Builds the error for an idempotency key that belongs to another request. */
export function buildKeyReused(): PortageError {
  return new PortageError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before. Use a new key for a new request.',
  );
}
