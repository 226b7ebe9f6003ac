import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FoldImportCounts } from '@portage/imports';
import { Logger, RepeatedWork } from '@portage/platform';

/** Pause between two runs: one statement, which finds nothing while no account moves. */
const INTERVAL_MS = 5_000;

/**
 * Folds the changes of counts on a timer of the process. The maintenance does so as well: this one serves where no worker
 * runs, and where the maintenance is paused.
 */
@Injectable()
export class CountsFolder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runs = new RepeatedWork();

  constructor(
    private readonly folding: FoldImportCounts,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.runs.start(async () => this.fold());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runs.stop();
  }

  private async fold(): Promise<number> {
    try {
      await this.folding.run();
    } catch (error) {
      this.logger.warn('Counts could not be folded. The next run will repeat it.', { error });
    }
    return INTERVAL_MS;
  }
}
