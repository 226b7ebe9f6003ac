import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { SweepFollowUps, SweepImportProcesses } from '@portage/importing';
import { Logger } from '@portage/observability';
import { JobSchedules } from '@portage/queues';

/**
 * Enqueues jobs that the queue has lost, at intervals. Runs on a timer of the process rather than as a scheduled job,
 * because a queue that loses its jobs loses its job schedulers with them.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly processes: SweepImportProcesses,
    private readonly followUps: SweepFollowUps,
    private readonly schedules: JobSchedules,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.schedules.ensure();
        await this.processes.sweep(() => signal.aborted);
        await this.followUps.sweep();
      } catch (error) {
        this.logger.warning('A sweep failed. The next one will repeat it.', { error });
      }
      // The pause is random, so that workers that started together do not sweep together.
      const pauseMs = this.config.SWEEP_INTERVAL_MS * (0.75 + Math.random() / 2);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
