import { Injectable } from '@nestjs/common';
import { AuditRepository, Database } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import { SubmissionRepository } from './submission.repository';
import { submissionNotOpen } from './submission-not-open';
import type { SubmissionView } from './submissions.dto';
import { Submissions } from './submissions';

/** Records that the supplier will upload nothing more. */
@Injectable()
export class CompleteSubmission {
  constructor(
    private readonly repository: SubmissionRepository,
    private readonly submissions: Submissions,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Completes a submission. An upload that is in progress ends with an error. Safe to repeat.
   *
   * @throws PortageError `not_found`; `submission_not_open` if it was aborted
   */
  async complete(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    id: string,
  ): Promise<SubmissionView> {
    const submission = await this.submissions.require(organisationId, id);
    if (submission.status === 'ABORTED') throw submissionNotOpen(submission);
    await this.database.transaction(async (executor) => {
      if (!(await this.repository.complete(id, executor))) return;
      const { supplier, reference: subject } = submission;
      const details = { submission: id };
      await this.audit.record(executor, {
        actor,
        action: 'submission.complete',
        supplier,
        subject,
        details,
      });
    });
    const completed = await this.submissions.require(organisationId, id);
    // An abort at the same time came first.
    if (completed.status === 'ABORTED') throw submissionNotOpen(completed);
    return this.submissions.view(completed);
  }
}
