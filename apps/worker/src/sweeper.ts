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
 * Sweeps on a timer of its own rather than by a scheduled job: it is there for the time when the queue has lost its
 * jobs, schedulers included.
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
        this.logger.warning('A sweep failed; the next one will do its work.', { error });
      }
      // Workers that started together do not go on sweeping together.
      const pause = this.config.SWEEP_INTERVAL_MS * (0.75 + Math.random() / 2);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}
