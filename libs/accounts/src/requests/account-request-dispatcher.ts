import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  accountRequestJob,
  Batcher,
  CONFIG,
  type Config,
  JobCorrelation,
  JobProducer,
  type JobsOfQueue,
  PortageError,
  Tracing,
} from '@portage/platform';
import type { AccountLabel } from '../account/account-label';
import {
  type AccountRequestKind,
  AccountRequestRepository,
  type AccountRequestSubmission,
  inFlightKey,
  type NewAccountRequest,
  type StoredAccountRequest,
} from './account-request.repository';
import { buildKeyReused } from './keyed-requests';
import { buildAccountNotFound } from './imported-accounts';
import { OutcomeWaiter } from './outcome-waiter';
import { shareJobs } from './share-jobs';

/**
 * A submission fails only if a worker finishes the conflicting request at the same time. Repeated failures are a
 * fault.
 */
const MAX_SUBMISSIONS = 5;

/** The queue takes no jobs for a second after it has failed. */
const ADD_AGAIN_MS = 1_000;

/** Requests in one statement. Beyond this the cost per row no longer falls. */
const MAX_BATCH_SIZE = 64;

/** Statements in flight, if the earlier ones are slow or the next one is full. */
const MAX_CONCURRENT_BATCHES = 3;
const SLOW_AFTER_MS = 50;

/** Characters of the input of a request that shares a statement. A larger one gains nothing from it. */
const MAX_SHARED_INPUT_LENGTH = 50_000;

/** A request to store, and what its job needs. */
interface Submission {
  request: NewAccountRequest;
  label: AccountLabel;
  /** True if a worker may perform the request in one database transaction with others. */
  mayShareJob: boolean;
  /** The end of the wait for the outcome, on the monotonic clock. */
  deadline: number;
  traceparent: string | undefined;
}

/** The result of a submission. */
interface Submitted {
  stored: AccountRequestSubmission;
  /** Undefined if no outcome is to be expected. */
  wait?: Promise<{ outcome: unknown } | undefined>;
  job?: JobsOfQueue;
  /** True for one of the requests that share the job: it adds the job. */
  addsJob?: boolean;
}

/** The API's half of an account request: stores it, enqueues its job and waits for the worker's outcome. */
@Injectable()
export class AccountRequestDispatcher {
  private readonly submissions: Batcher<Submission, Submitted>;

  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly outcomes: OutcomeWaiter,
    private readonly jobs: JobProducer,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.submissions = new Batcher<Submission, Submitted>(
      async (batch) => this.buildJobs(batch, await requests.submitAll(batch.map(({ request }) => request))),
      {
        maxSize: MAX_BATCH_SIZE,
        maxConcurrent: MAX_CONCURRENT_BATCHES,
        slowAfterMs: SLOW_AFTER_MS,
        keyOf: ({ request }) => inFlightKey(request),
      },
    );
  }

  /**
   * Stores a request, has a worker perform it once and returns its outcome. An equal request in flight is joined. A
   * finished request with the same `idempotencyKey` is answered from the stored outcome. Concurrent small requests are
   * stored in one statement.
   *
   * @param mayShareJob true if a worker may perform the request in one database transaction with others
   * @throws PortageError `idempotency_key_reused`; `account_not_found` if the account was erased; `unavailable` when no
   * worker has finished it within OUTCOME_WAIT_MS: it will be performed once all the same, and the same request finds
   * the outcome
   */
  async perform(
    request: NewAccountRequest,
    label: AccountLabel,
    mayShareJob = false,
  ): Promise<{ outcome: unknown; isReplayed: boolean }> {
    const deadline = performance.now() + this.config.OUTCOME_WAIT_MS;
    const { traceparent } = this.tracing;
    const submitted = await this.submit({ request, label, mayShareJob, deadline, traceparent });
    const { stored, wait, job, addsJob } = submitted;
    if (!stored.fingerprint.equals(request.fingerprint)) throw buildKeyReused();
    if (!wait || !job) return { outcome: stored.outcome, isReplayed: true };
    if (addsJob) await this.addJob(job, wait);
    else JobCorrelation.recordJob(job[1][0]?.id);
    const finished = await wait;
    if (finished) return { outcome: finished.outcome, isReplayed: false };
    throw buildNoOutcomeYet();
  }

  /**
   * Has a worker perform a stored request and waits for its outcome.
   *
   * @returns undefined when there was no outcome within OUTCOME_WAIT_MS
   */
  async awaitOutcome(
    kind: AccountRequestKind,
    stored: Pick<StoredAccountRequest, 'id' | 'isNew'>,
    label: AccountLabel,
  ): Promise<{ outcome: unknown } | undefined> {
    const wait = this.waitFor(stored, performance.now() + this.config.OUTCOME_WAIT_MS);
    // A request that was stored before gets a job as well: its first job may be lost, and a second one does nothing.
    await this.addJob(accountRequestJob(kind, { requestId: stored.id, ...label }), wait);
    return wait;
  }

  private async submit(submission: Submission): Promise<Submitted & { stored: StoredAccountRequest }> {
    for (let nth = 0; nth < MAX_SUBMISSIONS; nth += 1) {
      const { stored, ...submitted } = await this.store(submission);
      if (stored === 'account-erased') throw buildAccountNotFound();
      if (stored) return { stored, ...submitted };
    }
    throw new PortageError('unavailable', 'The request could not be stored just now. Send it again.');
  }

  /** A request with an idempotency key is stored alone, because its conflicts are found by another index. */
  private async store(submission: Submission): Promise<Submitted> {
    const { request } = submission;
    if (request.idempotencyKey === undefined && request.input.length <= MAX_SHARED_INPUT_LENGTH)
      return this.submissions.add(submission);
    const [submitted] = this.buildJobs([submission], [await this.requests.submit(request)]);
    return submitted as Submitted;
  }

  /** Builds the jobs of the requests that are pending, and begins the waits for their outcomes before a job is added. */
  private buildJobs(batch: readonly Submission[], stored: readonly AccountRequestSubmission[]): Submitted[] {
    const pending = batch.flatMap((submission, index) => {
      const one = stored[index];
      return isPending(one, submission.request) ? [{ submission, stored: one }] : [];
    });
    const jobs = shareJobs(
      pending.map(({ submission: { request, label, mayShareJob, traceparent }, stored: { id, isNew } }) => ({
        kind: request.kind,
        accountId: request.accountId,
        payload: { requestId: id, ...label },
        inputLength: request.input.length,
        // A request that was stored before gets a job as well: its first job may be lost, and a second one does nothing.
        mayShareJob: mayShareJob && isNew && request.input.length <= MAX_SHARED_INPUT_LENGTH,
        traceparent,
      })),
    );
    const submitted = new Map(
      pending.map(({ submission, stored: one }, place): [Submission, Submitted] => {
        const job = jobs[place] as JobsOfQueue;
        const wait = this.waitFor(one, submission.deadline);
        return [submission, { stored: one, wait, job, addsJob: jobs.indexOf(job) === place }];
      }),
    );
    return batch.map((submission, index) => submitted.get(submission) ?? { stored: stored[index] });
  }

  private async waitFor(
    { id, isNew }: Pick<StoredAccountRequest, 'id' | 'isNew'>,
    deadline: number,
  ): Promise<{ outcome: unknown } | undefined> {
    const timeoutMs = Math.max(0, deadline - performance.now());
    return this.outcomes.waitFor(id, { timeoutMs, mayBeFinished: !isNew });
  }

  /**
   * Adds a job while its client waits. The sweeper would add it after the client has gone. A queue whose connections were
   * lost is back earlier.
   */
  private async addJob(job: JobsOfQueue, wait: Promise<unknown>): Promise<void> {
    if (await this.jobs.add(...job)) return;
    const over = wait.then(() => true);
    const isOver = async () => Promise.race([over, sleep(ADD_AGAIN_MS, false)]);
    while (!(await isOver())) if (await this.jobs.add(...job)) return;
  }
}

function isPending(
  stored: AccountRequestSubmission,
  { fingerprint }: NewAccountRequest,
): stored is StoredAccountRequest {
  return typeof stored === 'object' && stored.outcome === null && stored.fingerprint.equals(fingerprint);
}

/** Builds the 503 for a request that no worker has finished in time. */
export function buildNoOutcomeYet(): PortageError {
  return new PortageError(
    'unavailable',
    'The request is stored and will be processed, but there is no outcome yet. Send it again to get the outcome.',
  );
}
