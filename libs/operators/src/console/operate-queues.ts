import { Inject, Injectable } from '@nestjs/common';
import { ImportCountRepository } from '@portage/imports';
import {
  ActingOperator,
  AuditRepository,
  type Clock,
  CLOCK,
  Database,
  PortageError,
  QUEUE_NAMES,
  QueueDepth,
  type QueueName,
  Queues,
  withTimeout,
} from '@portage/platform';
import type { QueueView } from './queues.dto';

/** How long the queues may take to answer a page. */
const TIMEOUT_MS = 5_000;

/** The queues, for operators: how much waits in them, and their pause. */
@Injectable()
export class OperateQueues {
  constructor(
    private readonly queues: Queues,
    private readonly depth: QueueDepth,
    private readonly accounts: ImportCountRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** All queues. @throws PortageError `unavailable` while the queue does not answer */
  async list(): Promise<QueueView[]> {
    return answered(Promise.all(QUEUE_NAMES.map(async (name) => this.read(name))));
  }

  /** Pauses a queue for all workers. The audit has the change before it is made. @throws PortageError `not_found`, `unavailable` */
  async pause(name: string): Promise<QueueView> {
    const queue = requireQueue(name);
    await this.record('queue.pause', queue);
    await answered(this.queues.get(queue).pause());
    return answered(this.read(queue));
  }

  /** Resumes a queue. @throws PortageError `not_found`, `unavailable` */
  async resume(name: string): Promise<QueueView> {
    const queue = requireQueue(name);
    await this.record('queue.resume', queue);
    await answered(this.queues.get(queue).resume());
    return answered(this.read(queue));
  }

  private async record(action: 'queue.pause' | 'queue.resume', queue: QueueName): Promise<void> {
    await this.audit.record(this.database, {
      actor: this.operator.actor,
      action,
      subject: queue,
      details: {},
    });
  }

  private async read(name: QueueName): Promise<QueueView> {
    const queue = this.queues.get(name);
    const [counts, paused, since, rate, accounts] = await Promise.all([
      queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'failed'),
      queue.isPaused(),
      this.depth.waitingSince(name),
      this.queues.completedPerSecond(name),
      name === 'account-imports' ? this.accounts.countWaiting() : null,
    ]);
    const count = (state: string) => counts[state] ?? 0;
    return {
      name,
      backend: this.queues.backend,
      // Jobs of a paused queue wait.
      waiting: count('waiting'),
      waiting_accounts: accounts,
      active: count('active'),
      delayed: count('delayed'),
      prioritized: count('prioritized'),
      failed: count('failed'),
      paused,
      oldest_waiting_at:
        since === undefined || since > this.clock.now().getTime() ? null : new Date(since).toISOString(),
      rate_per_second: Math.round(rate * 100) / 100,
    };
  }
}

function requireQueue(name: string): QueueName {
  const queue = QUEUE_NAMES.find((known) => known === name);
  if (queue) return queue;
  throw new PortageError('not_found', `There is no such queue. The queues are ${QUEUE_NAMES.join(', ')}.`);
}

async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await withTimeout(TIMEOUT_MS, work);
  } catch (error) {
    throw Object.assign(new PortageError('unavailable', 'The queue does not answer. Try again later.'), {
      cause: error,
    });
  }
}
