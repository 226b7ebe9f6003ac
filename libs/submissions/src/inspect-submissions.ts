import { Injectable } from '@nestjs/common';
import type { MeasureValues } from '@portage/imports';
import { ActingOperator, Refusal } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { type StoredSubmission, SubmissionRepository } from './submission.repository';
import { isSubmissionId } from './submission-id';
import { AbortSubmission } from './abort-submission';
import type { AbortedSubmission, ListedSubmissionView, SubmissionView } from './submissions.dto';
import { Submissions } from './submissions';

/** A submission as operators see it. */
export interface InspectedSubmission extends SubmissionView {
  is_dry_run: boolean;
  /** The API key that opened it. */
  opened_by: string;
  /** The control totals that the supplier stated. */
  expected: Partial<MeasureValues>;
}

/** Rows that are read at a time. */
const PAGE_ROWS = 500;

/** Lists, shows and aborts submissions, for operators. */
@Injectable()
export class InspectSubmissions {
  constructor(
    private readonly repository: SubmissionRepository,
    private readonly suppliers: ImportSupplierRepository,
    private readonly submissions: Submissions,
    private readonly abortion: AbortSubmission,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * The submissions of a supplier, newest first, in pages.
   *
   * @throws Refusal if there is no such supplier
   */
  async *list(code: string): AsyncGenerator<ListedSubmissionView[]> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    let after: string | undefined;
    do {
      const page = await this.submissions.list(supplier.organisationId, code, { limit: PAGE_ROWS, after });
      if (page.items.length > 0) yield page.items;
      after = page.next;
    } while (after !== undefined);
  }

  /** @throws Refusal if there is no such submission */
  async show(id: string): Promise<InspectedSubmission> {
    const submission = await this.require(id);
    const view = await this.submissions.view(submission);
    return {
      ...view,
      is_dry_run: submission.isDryRun,
      opened_by: submission.actor,
      expected: submission.expected,
    };
  }

  /**
   * Aborts a submission, as its supplier can.
   *
   * @param signal stops after the accounts that are being cancelled
   * @throws Refusal if there is no such submission, or it has finished
   */
  async abort(id: string, signal?: AbortSignal): Promise<AbortedSubmission> {
    let cancelled = 0;
    for (;;) {
      const aborted = await this.abortWithinTimeLimit(id);
      cancelled += aborted.cancelled;
      if (aborted.cancelled === 0 || signal?.aborted) return { ...aborted, cancelled };
    }
  }

  /**
   * As {@link abort}, for up to 20 seconds. Safe to repeat: it cancels what was left.
   *
   * @throws Refusal if there is no such submission, or it has finished
   */
  async abortWithinTimeLimit(id: string): Promise<AbortedSubmission> {
    const { organisationId } = await this.require(id);
    const aborted = await this.abortion.abort({ organisationId, actor: this.operator.actor }, id);
    const { status } = aborted.submission;
    if (status !== 'ABORTED')
      throw new Refusal(`The submission ${id} is ${status}, so nothing of it is left to abort.`);
    return aborted;
  }

  private async require(id: string): Promise<StoredSubmission> {
    const submission = isSubmissionId(id) ? await this.repository.find(undefined, id) : undefined;
    if (!submission) throw new Refusal(`There is no submission ${id}. List them with: submission list`);
    return submission;
  }
}
