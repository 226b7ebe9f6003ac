import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK } from '@portage/platform';
import { buildListed, SubmissionRepository, Submissions } from '@portage/submissions';
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

  /** The submissions of a supplier, the newest first. @throws PortageError `not_found`, `validation_error` */
  async list(code: string, { limit, cursor }: PageRequest): Promise<Page<SubmissionSummaryView>> {
    const [before] = cursor === undefined ? [] : decodeCursor(cursor, 1, ([id = '']) => isId(id));
    return this.reads.run(async (reads) => {
      const { id } = await this.reads.requireSupplier(code, reads);
      const rows = await this.repository.list({ supplierId: id }, before, limit + 1, reads);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: page.map((row) => buildListed(row, row, toMoment)),
        next_cursor: rows.length > limit && last ? encodeCursor([last.id]) : null,
      };
    });
  }

  /** A submission with its counts, which are those of a moment after the call. @throws PortageError `not_found` */
  async read(id: string): Promise<SubmissionDetailView> {
    const countedAt = this.clock.now();
    const submission = await this.submissions.require(undefined, id);
    const view = await this.submissions.view(submission);
    const inUtc = (moment: string | null) => (moment === null ? null : new Date(moment).toISOString());
    return {
      ...buildListed(submission, { isActive: view.finished_at === null, awaitsRelease: false }, toMoment),
      status: view.status,
      counts: view.counts,
      counted_at: countedAt.toISOString(),
      accounts_with_warnings: view.accounts_with_warnings,
      processed_per_second: view.accounts_per_second,
      estimated_end_at: inUtc(view.estimated_end),
      is_dry_run: submission.isDryRun,
      opened_by: submission.actor,
      expected: submission.expected,
    };
  }
}
