import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  AccountRequestRepository,
  inFlightKey,
  type NewAccountRequest,
  type StoredAccountRequest,
} from '@portage/database';
import { PortageError } from '@portage/domain';
import { accountRequestJob, JobProducer } from '@portage/queues';
import type { AccountLabel } from '../follow-ups/account-follow-ups';
import { isItemLevelError } from '../item-level-error';
import { keyReused } from '../idempotency/keyed-requests';
import { Outcomes } from './outcomes';

/** Conflicts that end in the very moment they are met; more than a few in a row are a fault. */
const MOST_ATTEMPTS = 5;

/** What has a larger input, in characters, gains nothing by waiting for others. */
const LARGE_INPUT = 50_000;

/** The API's half of work that a worker does while the client waits (DESIGN 4). */
@Injectable()
export class AccountRequestDispatcher {
  private readonly submitting: Batcher<NewAccountRequest, StoredAccountRequest | undefined>;

  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly outcomes: Outcomes,
    private readonly jobs: JobProducer,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const limits = { maxConcurrent: config.BATCHES_AT_ONCE, slowAfterMs: config.BATCH_SLOW_AFTER_MS };
    this.submitting = new Batcher<NewAccountRequest, StoredAccountRequest | undefined>(
      async (batch) => requests.submitAll(batch),
      {
        ...limits,
        maxSize: config.INSERT_BATCH_ROWS,
        keyOf: inFlightKey,
        retryIndividually: isItemLevelError,
      },
    );
  }

  /**
   * Has a request done once, and answers with its outcome. An equal request in flight is joined; one with an
   * `idempotencyKey` that was done is answered from what is stored.
   *
   * @throws PortageError `idempotency_key_reused`; `unavailable` when no worker has done it within OUTCOME_WAIT_MS:
   * it will be done once all the same, and the same request finds the outcome
   */
  async perform(
    request: NewAccountRequest,
    label: AccountLabel,
  ): Promise<{ outcome: unknown; isReplayed: boolean }> {
    const deadline = performance.now() + this.config.OUTCOME_WAIT_MS;
    const stored = await this.stored(request);
    if (!stored.fingerprint.equals(request.fingerprint)) throw keyReused();
    if (stored.outcome !== null) return { outcome: stored.outcome, isReplayed: true };
    const answer = this.outcomes.of(stored.id, {
      milliseconds: Math.max(0, deadline - performance.now()),
      mayBeThere: !stored.isNew,
    });
    // Also for one that was stored before: its job may be lost, and doing it twice is doing it once.
    await this.jobs.add(...accountRequestJob(request.kind, { requestId: stored.id, ...label }));
    const done = await answer;
    if (done) return { outcome: done.outcome, isReplayed: false };
    throw new PortageError(
      'unavailable',
      'The request is stored and will be worked on, but there is no outcome yet. Send it again to learn it.',
    );
  }

  private async stored(request: NewAccountRequest): Promise<StoredAccountRequest> {
    // With others that come at the same time, unless it has a key, for which there is another index, or is large.
    const isAlone = request.idempotencyKey !== undefined || request.input.length > LARGE_INPUT;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const stored = await (isAlone ? this.requests.submit(request) : this.submitting.add(request));
      if (stored) return stored;
    }
    throw new PortageError('unavailable', 'The request could not be stored just now. Send it again.');
  }
}
