import { Inject, Injectable } from '@nestjs/common';
import { ACTIVE_STATUSES } from '@portage/imports';
import {
  buildQueryError,
  type Clock,
  CLOCK,
  PortageError,
  SharedRuns,
  toOffsetMicroseconds,
} from '@portage/platform';
import { ImportSupplierDirectory, RuleSettingsDirectory } from '@portage/tenants';
import {
  type StoredSubmission,
  type SubmissionCounts,
  type SubmissionProgress,
  SubmissionRepository,
} from './submission.repository';
import { type AccountsState, statusOf } from './submission';
import { isSubmissionId } from './submission-id';
import { buildCounts, buildListed, buildPlan, meanRate, remainingAccounts } from './submission-view';
import type { ListedSubmissionView, SubmissionView } from './submissions.dto';

/** One page of a list of submissions. */
export interface SubmissionPage {
  items: ListedSubmissionView[];
  /** The cursor `after` of the next page. Undefined on the last page. */
  next: string | undefined;
}

/** Reads submissions, for their suppliers and for operators. */
@Injectable()
export class Submissions {
  private readonly progress = new SharedRuns<SubmissionProgress>();

  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly rules: RuleSettingsDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The organisation's submission with this id; of any organisation for an operator, who passes undefined.
   *
   * @throws PortageError `not_found`, also for a submission of another organisation
   */
  async require(organisationId: number | undefined, id: string): Promise<StoredSubmission> {
    const submission = isSubmissionId(id) ? await this.submissions.find(organisationId, id) : undefined;
    if (!submission) throw new PortageError('not_found', 'There is no such submission.');
    return submission;
  }

  /**
   * A submission with its counts, which are those of a moment after the call. Concurrent calls share a read.
   *
   * @throws PortageError `not_found`
   */
  async read(organisationId: number, id: string): Promise<SubmissionView> {
    return this.view(await this.require(organisationId, id));
  }

  /** The view of a stored submission. Stores its end if it is noticed now. */
  async view(submission: StoredSubmission): Promise<SubmissionView> {
    const { organisationId, supplier, status } = submission;
    const timeZone = (await this.suppliers.find(organisationId, supplier))?.timeZone ?? 'UTC';
    const { counts, rates } = await this.progress.join(submission.id, async () =>
      this.submissions.readProgress(submission.id),
    );
    const accounts = await this.stateOf(submission, counts);
    const { isActive: active } = accounts;
    const hasEnded = status === 'ABORTED' ? !active : statusOf(status, accounts) === 'FINISHED';
    if (hasEnded && submission.finishedAt === null)
      submission.finishedAt = (await this.submissions.finish(submission.id)) ?? null;
    const shown = buildCounts(counts);
    const remaining = active ? remainingAccounts(submission, shown) : undefined;
    const listed = buildListed(submission, accounts, (stored) => toOffsetMicroseconds(stored, timeZone));
    const perSecond = active ? rates.endedPerSecond : meanRate(listed, shown);
    return {
      ...listed,
      counts: shown,
      plan: buildPlan(submission.isDryRun, shown),
      accounts_with_warnings: counts.withWarnings,
      unchecked_lists: (await this.rules.references()).unconfigured,
      accounts_per_second: perSecond === null ? null : Math.round(perSecond * 100) / 100,
      estimated_end:
        rates.endedPerSecond > 0 && remaining !== undefined
          ? this.momentAfter(remaining / rates.endedPerSecondOfMinute, timeZone)
          : null,
    };
  }

  private async stateOf(
    { id, isDryRun }: StoredSubmission,
    { processes, corrections }: SubmissionCounts,
  ): Promise<AccountsState> {
    return {
      isActive: corrections.pending > 0 || ACTIVE_STATUSES.some((status) => (processes[status] ?? 0) > 0),
      // A dry run that was asked for waits for nothing.
      awaitsRelease:
        !isDryRun && (processes.DRY_RUN_SUCCEEDED ?? 0) > 0 && (await this.submissions.awaitsRelease(id)),
    };
  }

  /**
   * The submissions of a supplier, newest first.
   *
   * @param after the id of the last submission of the previous page
   * @throws PortageError `not_found` for an unknown supplier; `validation_error` for a malformed cursor
   */
  async list(
    organisationId: number,
    supplierCode: string,
    { limit, after, reference }: { limit: number; after: string | undefined; reference?: string | undefined },
  ): Promise<SubmissionPage> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    if (after !== undefined && !isSubmissionId(after))
      throw buildQueryError('after', 'after must be the id of the last row of the previous page.');
    const rows = await this.submissions.list({ supplierId: supplier.id, reference }, after, limit + 1);
    const page = rows.slice(0, limit);
    return {
      items: page.map((row) =>
        buildListed(row, row, (stored) => toOffsetMicroseconds(stored, supplier.timeZone)),
      ),
      next: rows.length > limit ? page.at(-1)?.id : undefined,
    };
  }

  private momentAfter(seconds: number, timeZone: string): string {
    const moment = new Date(this.clock.now().getTime() + Math.ceil(seconds) * 1_000);
    return toOffsetMicroseconds(moment.toISOString(), timeZone);
  }
}
