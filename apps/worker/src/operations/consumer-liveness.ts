import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { QUEUE_NAMES, QueueBackend, type QueueName, queueSettings, withTimeout } from '@portage/queues';
import { JobWatch } from '../processors/job-watch';
import { QueueConsumers } from '../processors/queue-consumers';

const LOOKS_WITHIN_LIMIT = 10;

/**
 * Whether this worker still takes jobs, which a process that answers HTTP may have stopped to do without an error:
 * the loop of a queue has ended; all jobs that it may have in hand hang; or it takes none although jobs wait.
 */
@Injectable()
export class ConsumerLiveness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Since when jobs of a queue wait and none is taken, and how many had been taken by then. */
  private readonly idle = new Map<QueueName, { since: number; taken: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly consumers: QueueConsumers,
    private readonly watch: JobWatch,
    private readonly backend: QueueBackend,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      for (const queue of QUEUE_NAMES) void this.look(queue);
    }, this.config.WORKER_STUCK_MS / LOOKS_WITHIN_LIMIT).unref();
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  /** The queues that are no longer consumed. None while the worker stops, for then that is as it should be. */
  get stuck(): QueueName[] {
    if (this.isStopping) return [];
    return QUEUE_NAMES.filter(
      (queue) => !this.consumers.isRunning(queue) || this.allHang(queue) || this.isIdleWithBacklog(queue),
    );
  }

  private allHang(queue: QueueName): boolean {
    const { takenAt } = this.watch.activeJobs(queue);
    const before = performance.now() - this.config.WORKER_STUCK_MS;
    return takenAt.size >= this.places(queue) && [...takenAt.values()].every((at) => at < before);
  }

  /** How many jobs of the queue a worker has in hand at most. */
  private places(queue: QueueName): number {
    return this.config[queueSettings[queue].concurrency];
  }

  private isIdleWithBacklog(queue: QueueName): boolean {
    const idle = this.idle.get(queue);
    return idle !== undefined && performance.now() - idle.since > this.config.WORKER_STUCK_MS;
  }

  /** Others may take the jobs instead, but not all of them for so long: they compete as equals. */
  private async look(queue: QueueName): Promise<void> {
    const { taken, takenAt } = this.watch.activeJobs(queue);
    const isFree = takenAt.size < this.places(queue);
    const couldTake = isFree && (await this.doJobsWait(queue));
    if (!couldTake || this.watch.activeJobs(queue).taken > taken) {
      this.idle.delete(queue);
      return;
    }
    const idle = this.idle.get(queue);
    if (idle?.taken !== taken) this.idle.set(queue, { since: performance.now(), taken });
    else if (this.isIdleWithBacklog(queue))
      this.logger.failure('Jobs wait, and this worker takes none.', { queue });
  }

  /** A queue that does not answer is no fault of this worker; readiness tells. Nor is one that somebody holds back. */
  private async doJobsWait(name: QueueName): Promise<boolean> {
    const queue = this.backend.queue(name);
    try {
      const [counts, isPaused, concurrency] = await withTimeout(
        this.config.ENQUEUE_TIMEOUT_MS,
        Promise.all([queue.getJobCounts('waiting'), queue.isPaused(), queue.getGlobalConcurrency()]),
      );
      return (counts['waiting'] ?? 0) > 0 && !isPaused && concurrency === null;
    } catch {
      return false;
    }
  }
}
