import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import type { AccountRequestKind, NewAccountRequest, StoredAccountRequest } from '@portage/database';
import { PortageError } from '@portage/domain';
import { accountRequestJob, JobProducer } from '@portage/queues';
import type { AccountLabel } from '../follow-ups/account-follow-ups';
import { buildKeyReused } from '../idempotency/keyed-requests';
import { buildAccountNotFound } from './imported-accounts';
import { OutcomeWaiter } from './outcome-waiter';
import { AccountRequestStore } from './ports/account-request-store';

/**
 * A submission fails only if a worker finishes the conflicting request at the same time. Repeated failures are a
 * fault.
 */
const MAX_SUBMISSIONS = 5;

/** The queue takes no jobs for a second after it has failed. */
const ADD_AGAIN_MS = 1_000;

/** The API's half of an account request: stores it, enqueues its job and waits for the worker's outcome. */
@Injectable()
export class AccountRequestDispatcher {
  constructor(
    private readonly requests: AccountRequestStore,
    private readonly outcomes: OutcomeWaiter,
    private readonly jobs: JobProducer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Stores a request, has a worker perform it once and returns its outcome. An equal request in flight is joined. A
   * finished request with the same `idempotencyKey` is answered from the stored outcome.
   *
   * @throws PortageError `idempotency_key_reused`; `account_not_found` if the account was erased; `unavailable` when no worker has finished it within OUTCOME_WAIT_MS:
   * it will be performed once all the same, and the same request finds the outcome
   */
  async perform(
    request: NewAccountRequest,
    label: AccountLabel,
  ): Promise<{ outcome: unknown; isReplayed: boolean }> {
    const deadline = performance.now() + this.config.OUTCOME_WAIT_MS;
    const stored = await this.submit(request);
    if (!stored.fingerprint.equals(request.fingerprint)) throw buildKeyReused();
    if (stored.outcome !== null) return { outcome: stored.outcome, isReplayed: true };
    const finished = await this.awaitOutcome(request.kind, stored, label, deadline);
    if (finished) return { outcome: finished.outcome, isReplayed: false };
    throw buildNoOutcomeYet();
  }

  /**
   * Has a worker perform a stored request and waits for its outcome.
   *
   * @param deadline the end of the wait, on the monotonic clock; by default OUTCOME_WAIT_MS from now
   * @returns undefined when there was no outcome in time
   */
  async awaitOutcome(
    kind: AccountRequestKind,
    { id, isNew }: Pick<StoredAccountRequest, 'id' | 'isNew'>,
    label: AccountLabel,
    deadline = performance.now() + this.config.OUTCOME_WAIT_MS,
  ): Promise<{ outcome: unknown } | undefined> {
    const answer = this.outcomes.waitFor(id, {
      timeoutMs: Math.max(0, deadline - performance.now()),
      mayBeFinished: !isNew,
    });
    // A request that was stored before gets a job as well: its first job may be lost, and a second one does nothing.
    const job = accountRequestJob(kind, { requestId: id, ...label });
    if (!(await this.jobs.add(...job))) await this.addJobAgain(job, answer);
    return answer;
  }

  /** The sweeper would add the job after the client has gone. A queue whose connections were lost is back earlier. */
  private async addJobAgain(
    job: ReturnType<typeof accountRequestJob>,
    answer: Promise<{ outcome: unknown } | undefined>,
  ): Promise<void> {
    const over = answer.then(() => true);
    const isOver = async () => Promise.race([over, sleep(ADD_AGAIN_MS, false)]);
    while (!(await isOver())) if (await this.jobs.add(...job)) return;
  }

  private async submit(request: NewAccountRequest): Promise<StoredAccountRequest> {
    for (let submission = 0; submission < MAX_SUBMISSIONS; submission += 1) {
      const stored = await this.requests.submit(request);
      if (stored === 'account-erased') throw buildAccountNotFound();
      if (stored) return stored;
    }
    throw new PortageError('unavailable', 'The request could not be stored just now. Send it again.');
  }
}

/** Builds the 503 for a request that no worker has finished in time. */
export function buildNoOutcomeYet(): PortageError {
  return new PortageError(
    'unavailable',
    'The request is stored and will be processed, but there is no outcome yet. Send it again to get the outcome.',
  );
}
