import { Injectable, Optional } from '@nestjs/common';
import { SingleFlight } from '../values/single-flight';
import { JobCorrelation } from '../observability/job-correlation';
import { Logger } from '../observability/logger';
import { Metrics } from '../observability/metrics';
import { Tracing } from '../observability/tracing';
import { FairShares } from './fair-shares';
import { type OrganisationPayload, type QueueName, queueSettings } from './job-contract';
import { type AnyJob, countAccounts, isBulk } from './jobs';
import { Queues } from './queues';
import { withTimeout } from '../values/with-timeout';

/** Maximum time that a client waits for the queue. After it the sweeper enqueues the job. */
const ENQUEUE_TIMEOUT_MS = 1_000;

/** Maximum time that work without a waiting client, such as a sweep, waits for the queue. */
export const BACKGROUND_TIMEOUT_MS = 10_000;

/** Time after a failure in which no job is added, so that requests do not wait for an unreachable queue. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Jobs that are added at once. Redis performs the commands of a connection one after the other, those of others too. */
const MAX_JOBS_AT_ONCE = 50;

/** The shares of the organisations in one queue, and the readings of the queue. */
interface QueueShares {
  readonly shares: FairShares;
  reading: SingleFlight<void>;
}

/**
 * Adds jobs to queues, after the rows that they refer to have been committed. A job that cannot be added is not an
 * error: the row is the truth, and the sweeper enqueues it again.
 *
 * The priority of a job gives each organisation its share of the queue ({@link FairShares}).
 */
@Injectable()
export class JobProducer {
  private pausedUntil = 0;
  private readonly shares = new Map<QueueName, QueueShares>();

  constructor(
    private readonly queues: Queues,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Optional() private readonly enqueueTimeoutMs: number = ENQUEUE_TIMEOUT_MS,
  ) {}

  /**
   * Adds jobs. Gives up once the queue has not answered for {@link ENQUEUE_TIMEOUT_MS}, and never throws.
   *
   * @returns true if the queue has confirmed the jobs
   */
  async add(queue: QueueName, jobs: readonly AnyJob[]): Promise<boolean> {
    JobCorrelation.recordJob(jobs[0]?.id);
    if (performance.now() < this.pausedUntil) return this.giveUp(queue, jobs.length);
    try {
      await this.tracing.inChildSpan(
        `enqueue ${queue}`,
        { kind: 'producer', attributes: { queue } },
        async () => {
          const { traceparent } = this.tracing;
          const traced = traceparent ? jobs.map((job) => ({ traceparent, ...job })) : jobs;
          for (let first = 0; first < traced.length; first += MAX_JOBS_AT_ONCE)
            await withTimeout(
              this.enqueueTimeoutMs,
              this.send(queue, traced.slice(first, first + MAX_JOBS_AT_ONCE)),
            );
        },
      );
      return true;
    } catch (error) {
      this.pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
      this.logger.warn('The queue does not answer. The sweeper will enqueue the jobs.', { queue, error });
      return this.giveUp(queue, jobs.length);
    }
  }

  /**
   * Finds the jobs that are waiting, delayed or active.
   *
   * @returns their payloads by id
   * @throws if the queue cannot be reached
   */
  async findUnfinished(queue: QueueName, ids: readonly string[]): Promise<Map<string, unknown>> {
    const target = this.queues.get(queue);
    const jobs = await Promise.all(
      ids.map(async (id) => withTimeout(BACKGROUND_TIMEOUT_MS, target.getJob(id))),
    );
    return new Map(
      jobs.flatMap((job) =>
        job?.id !== undefined && job.finishedOn === undefined ? [[job.id, job.data]] : [],
      ),
    );
  }

  /**
   * Adds the jobs that are not in the queue. A finished job with the same id is removed first.
   *
   * @returns the number of jobs that were missing
   * @throws if the queue cannot be reached
   */
  async addMissing(queue: QueueName, jobs: readonly AnyJob[]): Promise<number> {
    const target = this.queues.get(queue);
    const states = await Promise.all(
      jobs.map((job) => withTimeout(BACKGROUND_TIMEOUT_MS, target.getJobState(job.id))),
    );
    const missing: AnyJob[] = [];
    for (const [index, job] of jobs.entries()) {
      const state = states[index];
      if (state === 'completed' || state === 'failed') await target.remove(job.id);
      if (state === 'completed' || state === 'failed' || state === 'unknown') missing.push(job);
    }
    if (missing.length > 0) await withTimeout(BACKGROUND_TIMEOUT_MS, this.send(queue, missing));
    return missing.length;
  }

  /**
   * The number of jobs that are waiting or active.
   *
   * @throws if the queue cannot be reached
   */
  async depth(queue: QueueName): Promise<number> {
    const counts = await withTimeout(
      BACKGROUND_TIMEOUT_MS,
      this.queues.get(queue).getJobCounts('waiting', 'active', 'prioritized'),
    );
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  private async send(queue: QueueName, jobs: readonly AnyJob[]): Promise<void> {
    const accountCount = jobs.reduce((count, { payload }) => count + countAccounts(payload), 0);
    const shares = await this.currentShares(queue, accountCount);
    const entries = jobs.map(({ id, name, payload, isUrgent, traceparent }) => {
      // Without a priority a job is taken before all others.
      const priority = isUrgent ? undefined : priorityOf(shares, payload);
      return {
        name,
        data: traceparent ? { ...payload, traceparent } : payload,
        opts: { jobId: id, ...(priority ? { priority } : {}) },
      };
    });
    const target = this.queues.get(queue);
    const [entry] = entries;
    // In PostgreSQL, addBulk creates two temporary tables: several milliseconds for one job.
    if (entry && entries.length === 1) await target.add(entry.name, entry.data, entry.opts);
    else await target.addBulk(entries);
  }

  /**
   * The shares of a queue. Their reading is renewed in the background, so that no job waits for it. After an idle time a
   * large batch waits, because it may be the backlog of one organisation. Each job of a queue with a rate waits: behind
   * what another process has added since, it would wait for seconds.
   */
  private async currentShares(queue: QueueName, accountCount: number): Promise<FairShares> {
    const queueShares = this.sharesOf(queue);
    const { shares } = queueShares;
    const hasRate = queueSettings[queue].startsPerSecond !== undefined;
    if (!shares.isReadingDue && !hasRate) return shares;
    const reading = queueShares.reading.join(async () => this.read(queue, shares));
    if (hasRate || (accountCount > shares.jobsPerRound && !shares.isCurrent)) await reading;
    return shares;
  }

  /** A failure has no consequence: the next batch reads again, and reports the outage if there is one. */
  private async read(queue: QueueName, shares: FairShares): Promise<void> {
    await withTimeout(this.enqueueTimeoutMs, this.queues.currentRound(queue)).then(
      (round) => {
        shares.observe(round);
      },
      () => undefined,
    );
  }

  private sharesOf(queue: QueueName): QueueShares {
    const existing = this.shares.get(queue);
    if (existing) return existing;
    const shares = new FairShares(queueSettings[queue].jobsPerRound);
    const created = { shares, reading: new SingleFlight<void>() };
    this.shares.set(queue, created);
    return created;
  }

  private giveUp(queue: QueueName, count: number): false {
    this.metrics.enqueueFailures.inc({ queue }, count);
    return false;
  }
}

/** 0, the default of BullMQ, for a job that belongs to no organisation. */
function priorityOf(shares: FairShares, payload: AnyJob['payload']): number {
  const { organisationId } = payload as Partial<OrganisationPayload>;
  if (organisationId === undefined) return 0;
  return shares.next(organisationId, countAccounts(payload), isBulk(payload) ? 'bulk' : 'interactive');
}
