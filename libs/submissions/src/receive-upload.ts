import { Injectable } from '@nestjs/common';
import type { UploadKey } from '@portage/imports';
import { PortageError, Throttled } from '@portage/platform';
import { type Caller, ImportSupplierDirectory, requireOngoing } from '@portage/tenants';
import { IgnoredFieldCounts } from './ignored-field-counts';
import type { SubmissionKind } from './submission';
import type { StoredSubmission } from './submission.repository';
import { SubmissionUploadRepository, type UploadCounts } from './submission-upload.repository';
import { submissionNotOpen } from './submission-not-open';
import { Submissions } from './submissions';
import type { UploadResult } from './submissions.dto';

/** An upload in progress. */
export interface Upload {
  submission: StoredSubmission;
  key: UploadKey;
  actor: string;
  ignored: IgnoredFieldCounts;
}

/** Uploads of one submission at the same time, over all processes. */
const MAX_UPLOADS_OF_SUBMISSION = 8;

/** An upload that was not renewed for this long is over: its process has died. */
const UPLOAD_LIFETIME_SECONDS = 60;

/** When a sender with too many uploads should try again. */
const RETRY_AFTER_MS = 2_000;

/** Begins and ends uploads of submissions, whatever their lines have. */
@Injectable()
export class ReceiveUpload {
  constructor(
    private readonly submissions: Submissions,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly uploads: SubmissionUploadRepository,
  ) {}

  /**
   * Receives an upload. What was read before an error stays stored.
   *
   * @param kind what the lines have
   * @param read reads the upload to its end
   * @throws PortageError `not_found`, `submission_not_open`, `submission_of_other_kind`,
   * `import_supplier_migration_not_ongoing`, `throttled`, `parse_error` for a body that has no lines, `upload_stalled`,
   * `quota_reached`; errors of the body
   */
  async receive(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    id: string,
    kind: SubmissionKind,
    read: (upload: Upload) => Promise<void>,
  ): Promise<UploadResult> {
    const submission = await this.submissions.require(organisationId, id);
    if (submission.kind !== kind) throw buildOtherKind(submission);
    if (submission.status !== 'OPEN') throw submissionNotOpen(submission);
    requireOngoing(await this.suppliers.find(organisationId, submission.supplier));
    const key = await this.uploads.start(id, actor, {
      maxConcurrent: MAX_UPLOADS_OF_SUBMISSION,
      lifetimeSeconds: UPLOAD_LIFETIME_SECONDS,
    });
    if (!key)
      throw new Throttled(
        `Submission ${id} has ${MAX_UPLOADS_OF_SUBMISSION} uploads in progress.`,
        RETRY_AFTER_MS,
      );
    const upload: Upload = { submission, key, actor, ignored: new IgnoredFieldCounts() };
    let failure: unknown;
    try {
      await read(upload);
    } catch (error) {
      // The batch statement does not say how the submission was closed.
      if (error instanceof PortageError && error.code === 'submission_not_open')
        failure = submissionNotOpen(await this.submissions.require(organisationId, id));
      else failure = error;
    }
    const counts = await this.uploads.end(key);
    if (failure !== undefined) throw withCounts(failure, counts);
    return { ...counts, ignored_fields: upload.ignored.byPath() };
  }

  /** @throws PortageError `submission_not_open` */
  async renew({ submission, key }: Upload): Promise<void> {
    if (!(await this.uploads.renew(key))) throw submissionNotOpen({ ...submission, status: 'RECEIVED' });
  }
}

function buildOtherKind({ id, kind }: StoredSubmission): PortageError {
  return new PortageError(
    'submission_of_other_kind',
    `Submission ${id} has the kind ${kind}. Upload its lines to /v2/data-import/submissions/${id}/${kind}/.`,
  );
}

/** The error of an upload, with what became of the lines before it. */
function withCounts(failure: unknown, { lines, accepted }: UploadCounts): unknown {
  // Errors with a class of their own have headers of their own.
  if (!(failure instanceof PortageError) || failure.constructor !== PortageError || lines === 0)
    return failure;
  const { code, detail, members } = failure;
  return new PortageError(
    code,
    `${detail} Lines before that: ${lines} were read, ${accepted} accepted.`,
    members,
  );
}
