import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { SweepFollowUps } from '@portage/accounts';
import { SweepImportProcesses } from '@portage/imports';
import { CONFIG, type Config, JobSchedules, Logger, RepeatedWork } from '@portage/platform';
import { PerformAdditions } from '@portage/submissions';

/**
 * Enqueues jobs that the queue has lost, at intervals. Runs on a timer of the process rather than as a scheduled job,
 * because a queue that loses its jobs loses its job schedulers with them.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps = new RepeatedWork();

  constructor(
    private readonly processes: SweepImportProcesses,
    private readonly followUps: SweepFollowUps,
    private readonly additions: PerformAdditions,
    private readonly schedules: JobSchedules,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start(async (signal) => this.sweep(signal));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
  }

  private async sweep(signal: AbortSignal): Promise<number> {
    try {
      await this.schedules.ensure();
      await this.processes.sweep(() => signal.aborted);
      await this.followUps.sweep();
      await this.additions.sweep(this.config.SWEEP_AFTER_MS);
    } catch (error) {
      this.logger.warn('A sweep failed. The next one will repeat it.', { error });
    }
    return this.config.SWEEP_INTERVAL_MS;
  }
}
