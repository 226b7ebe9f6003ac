import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK } from '@portage/platform';
import { buildListed, SubmissionRepository } from '@portage/submissions';
import { toMoment } from './moments';
import { PageReads } from './page-reads';
import { ViewHealth } from './view-health';
import { ViewSuppliers } from './view-suppliers';
import type { OverviewView } from './overview.dto';

const MAX_SUPPLIERS = 200;
const MAX_SUBMISSIONS = 50;

/** How long an overview is reused, so that many readers cost as much as one. */
const MAX_AGE_MS = 1_000;

/** The overview of operators. */
@Injectable()
export class ViewOverview {
  private last: { at: number; view: Promise<OverviewView> } | undefined;

  constructor(
    private readonly reads: PageReads,
    private readonly suppliers: ViewSuppliers,
    private readonly submissions: SubmissionRepository,
    private readonly health: ViewHealth,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The overview of a moment within the last second. */
  async read(): Promise<OverviewView> {
    const now = performance.now();
    if (this.last && now - this.last.at < MAX_AGE_MS) return this.last.view;
    const view = this.load();
    this.last = { at: now, view };
    view.catch(() => {
      this.last = undefined;
    });
    return view;
  }

  private async load(): Promise<OverviewView> {
    const [suppliers, submissions, health] = await Promise.all([
      this.suppliers.summaries(MAX_SUPPLIERS),
      this.reads.run(async (reads) => this.submissions.listInProgress(MAX_SUBMISSIONS, reads)),
      this.health.read(),
    ]);
    return {
      generated_at: this.clock.now().toISOString(),
      suppliers,
      submissions_in_progress: submissions
        .filter(({ status, isActive }) => status === 'OPEN' || isActive)
        .map((submission) => buildListed(submission, submission.isActive, toMoment)),
      health,
    };
  }
}
