import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, type Executor } from '@portage/platform';
import {
  type AccountsState,
  buildCounts,
  buildListed,
  type ListedSubmission,
  type StoredSubmission,
  type SubmissionCountsView,
  type SubmissionKind,
  SubmissionRepository,
  Submissions,
} from '@portage/submissions';
import { toMoment } from './moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from './page-cursor';
import { PageReads } from './page-reads';
import type { SubmissionDetailView, SubmissionSummaryView } from './submissions.dto';

/** Submissions, for the pages of operators. */
@Injectable()
export class ViewSubmissions {
  constructor(
    private readonly reads: PageReads,
    private readonly repository: SubmissionRepository,
    private readonly submissions: Submissions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The submissions of all suppliers or of one, and of both kinds or of one, the newest first.
   *
   * @throws PortageError `not_found`, `validation_error`
   */
  async list(
    code: string | undefined,
    { limit, cursor }: PageRequest,
    kind?: SubmissionKind,
  ): Promise<Page<SubmissionSummaryView>> {
    const [before] = cursor === undefined ? [] : decodeCursor(cursor, 1, ([id = '']) => isId(id));
    return this.reads.run(async (reads) => {
      const supplier = code === undefined ? undefined : await this.reads.requireSupplier(code, reads);
      const rows = await this.repository.list({ supplierId: supplier?.id, kind }, before, limit + 1, reads);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: await this.summarise(page, reads),
        next_cursor: rows.length > limit && last ? encodeCursor([last.id]) : null,
      };
    });
  }

  /** The newest submissions of all suppliers that are open, or have accounts that are queued or running. */
  async listInProgress(limit: number): Promise<SubmissionSummaryView[]> {
    return this.reads.run(async (reads) => {
      const rows = await this.repository.listInProgress(limit, reads);
      return this.summarise(
        rows.filter(({ status, isActive }) => status === 'OPEN' || isActive),
        reads,
      );
    });
  }

  private async summarise(
    rows: readonly ListedSubmission[],
    reads: Executor,
  ): Promise<SubmissionSummaryView[]> {
    const counted = await this.repository.countEach(rows, reads);
    return counted.map(([row, counts]) => buildSummary(row, row, buildCounts(counts)));
  }

  /** A submission with its counts, which are those of a moment after the call. @throws PortageError `not_found` */
  async read(id: string): Promise<SubmissionDetailView> {
    const countedAt = this.clock.now();
    const submission = await this.submissions.require(undefined, id);
    const view = await this.submissions.view(submission);
    const inUtc = (moment: string | null) => (moment === null ? null : new Date(moment).toISOString());
    return {
      ...buildSummary(submission, { isActive: view.finished_at === null, awaitsRelease: false }, view.counts),
      status: view.status,
      plan: view.plan,
      counted_at: countedAt.toISOString(),
      accounts_with_warnings: view.accounts_with_warnings,
      processed_per_second: view.accounts_per_second,
      estimated_end_at: inUtc(view.estimated_end),
      opened_by: submission.actor,
      expected: submission.expected,
    };
  }
}

function buildSummary(
  submission: StoredSubmission,
  accounts: AccountsState,
  counts: SubmissionCountsView,
): SubmissionSummaryView {
  const listed = buildListed(submission, accounts, toMoment);
  return {
    ...listed,
    is_dry_run: submission.isDryRun,
    counts,
    // Accounts that were retried have made it active again: it has yet to end once more.
    reconciled: listed.finished_at === null ? null : submission.reconciled,
  };
}
