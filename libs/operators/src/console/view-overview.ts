import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, SharedRuns } from '@portage/platform';
import { ViewHealth } from './view-health';
import { ViewSubmissions } from './view-submissions';
import { ViewSuppliers } from './view-suppliers';
import type { OverviewView } from './overview.dto';

const MAX_SUPPLIERS = 200;
const MAX_SUBMISSIONS = 50;

/** The overview of operators. */
@Injectable()
export class ViewOverview {
  private readonly views = new SharedRuns<OverviewView>();

  constructor(
    private readonly suppliers: ViewSuppliers,
    private readonly submissions: ViewSubmissions,
    private readonly health: ViewHealth,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The overview of a moment after the call. Concurrent calls share a read. */
  async read(): Promise<OverviewView> {
    return this.views.join('', async () => this.load());
  }

  private async load(): Promise<OverviewView> {
    // Before the reads, so that no figure is older than it.
    const at = this.clock.now();
    const [suppliers, submissions, health] = await Promise.all([
      this.suppliers.summaries(MAX_SUPPLIERS),
      this.submissions.listInProgress(MAX_SUBMISSIONS),
      this.health.read(),
    ]);
    return {
      generated_at: at.toISOString(),
      suppliers,
      submissions_in_progress: submissions,
      health,
    };
  }
}
