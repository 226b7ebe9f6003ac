import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HEARTBEAT_INTERVAL_MS, ReportWorker, type WorkerReport } from '@portage/operators';
import { Logger, QUEUE_NAMES, readRelease } from '@portage/platform';
import { JobMonitor } from '../processors/job-monitor';
import { QueueConsumers } from '../processors/queue-consumers';

/** Reports every 15 seconds that this worker is alive, and what it is doing: one small statement. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly reports: ReportWorker,
    private readonly consumers: QueueConsumers,
    private readonly monitor: JobMonitor,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const beat = () => {
      this.pending = this.beat();
    };
    beat();
    this.timer = setInterval(beat, HEARTBEAT_INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.pending;
    await this.reports.remove().catch(() => undefined);
  }

  private async beat(): Promise<void> {
    if (this.isStopping) return;
    try {
      await this.reports.report(readRelease(), this.observe());
    } catch (error) {
      this.logger.warn('The heartbeat of this worker could not be stored. The next one repeats it.', {
        error,
      });
    }
  }

  private observe(): WorkerReport['queues'] {
    return QUEUE_NAMES.map((queue) => ({
      queue,
      active: this.monitor.activeJobs(queue).takenAt.size,
      is_consuming: this.consumers.isRunning(queue),
    }));
  }
}
