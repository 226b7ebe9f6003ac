import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  CONFIG,
  type Config,
  Logger,
  QUEUE_NAMES,
  type QueueName,
  Queues,
  withTimeout,
} from '@portage/platform';
import { JobMonitor } from '../processors/job-monitor';
import { QueueConsumers } from '../processors/queue-consumers';

/** Number of checks of a queue within WORKER_STUCK_MS. */
const CHECK_COUNT = 10;

const QUEUE_READ_TIMEOUT_MS = 1_000;

/**
 * Detects that this worker no longer processes jobs, although the process still answers HTTP and no error was raised:
 * the main loop of a queue has ended, all jobs up to the concurrency limit hang, or no job is taken although jobs wait.
 */
@Injectable()
export class ConsumerLiveness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The time since which jobs of a queue wait and this worker takes none, and the count of jobs taken before it. */
  private readonly idle = new Map<QueueName, { since: number; takenCount: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly consumers: QueueConsumers,
    private readonly monitor: JobMonitor,
    private readonly queues: Queues,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      for (const queue of QUEUE_NAMES) void this.check(queue);
    }, this.config.WORKER_STUCK_MS / CHECK_COUNT).unref();
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  /**
   * The queues that this worker no longer consumes. Empty while the worker stops, because it stops consuming on
   * purpose.
   */
  get stuck(): QueueName[] {
    if (this.isStopping) return [];
    return QUEUE_NAMES.filter(
      (queue) => !this.consumers.isRunning(queue) || this.doAllHang(queue) || this.isIdleWithBacklog(queue),
    );
  }

  private doAllHang(queue: QueueName): boolean {
    const { takenAt } = this.monitor.activeJobs(queue);
    const before = performance.now() - this.config.WORKER_STUCK_MS;
    return (
      takenAt.size >= this.consumers.concurrency(queue) &&
      takenAt.size > 0 &&
      [...takenAt.values()].every((time) => time < before)
    );
  }

  private isIdleWithBacklog(queue: QueueName): boolean {
    const idle = this.idle.get(queue);
    return idle !== undefined && performance.now() - idle.since > this.config.WORKER_STUCK_MS;
  }

  /** Workers compete for jobs as equals, so other workers cannot explain that this one takes none for that long. */
  private async check(queue: QueueName): Promise<void> {
    const { takenCount, takenAt } = this.monitor.activeJobs(queue);
    const hasCapacity = takenAt.size < this.consumers.concurrency(queue);
    const couldTake = hasCapacity && (await this.hasBacklog(queue));
    if (!couldTake || this.monitor.activeJobs(queue).takenCount > takenCount) {
      this.idle.delete(queue);
      return;
    }
    const idle = this.idle.get(queue);
    if (idle?.takenCount !== takenCount) this.idle.set(queue, { since: performance.now(), takenCount });
    else if (this.isIdleWithBacklog(queue))
      this.logger.error('Jobs are waiting, and this worker takes none.', { queue });
  }

  /**
   * True if jobs wait that this worker may take. False for a queue that does not answer, which readiness reports, and
   * for a queue that an operator has paused or limited.
   */
  private async hasBacklog(name: QueueName): Promise<boolean> {
    const queue = this.queues.get(name);
    try {
      const [waitingCount, isPaused, concurrency] = await withTimeout(
        QUEUE_READ_TIMEOUT_MS,
        Promise.all([this.queues.countWaiting(name), queue.isPaused(), queue.getGlobalConcurrency()]),
      );
      return waitingCount > 0 && !isPaused && concurrency === null;
    } catch {
      return false;
    }
  }
}
