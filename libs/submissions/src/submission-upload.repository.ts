import { Injectable } from '@nestjs/common';
import type { UploadKey } from '@portage/imports';
import { Database, type Executor, lockKey, type Statement } from '@portage/platform';

/** The counters of one upload. */
export interface UploadCounts {
  /** Lines that were stored, without blank ones. */
  lines: number;
  accepted: number;
  refused: number;
  /** Lines whose account the submission had with the same content. */
  repeated: number;
  /** Lines whose account was imported before with the same content. */
  unchanged: number;
  /** Lines whose account was imported before, and is to be corrected. */
  corrections: number;
}

const lockUploads: Statement = {
  name: 'lock-uploads-of-submission',
  text: `SELECT pg_advisory_xact_lock(${lockKey('uploads', '$1::bigint')})`,
};

const startUpload: Statement = {
  name: 'start-upload',
  text: `
    INSERT INTO submission_upload (submission_id, number, actor)
    SELECT $1, coalesce((SELECT max(number) FROM submission_upload WHERE submission_id = $1), 0) + 1, $2
    WHERE (
      SELECT count(*) FROM (
        SELECT FROM submission_upload
        WHERE submission_id = $1 AND ended_at IS NULL AND renewed_at > now() - $4 * interval '1 second' LIMIT $3
      ) running
    ) < $3
    RETURNING number`,
};

const renewUpload: Statement = {
  name: 'renew-upload',
  text: `
    UPDATE submission_upload upload SET renewed_at = now() FROM submission
    WHERE upload.submission_id = $1 AND upload.number = $2 AND submission.id = $1
    RETURNING submission.status = 'OPEN' AS is_open`,
};

const endUpload: Statement = {
  name: 'end-upload',
  text: `
    UPDATE submission_upload SET ended_at = now() WHERE submission_id = $1 AND number = $2
    RETURNING lines, accepted, refused, repeated, unchanged, corrections`,
};

/** The uploads of submissions: one row for each request. */
@Injectable()
export class SubmissionUploadRepository {
  constructor(private readonly database: Database) {}

  /**
   * Registers an upload, unless the submission has `maxConcurrent` others in progress, in all API processes. An upload
   * whose last batch or renewal is older than `lifetimeSeconds` is over: its process has died.
   */
  async start(
    submissionId: string,
    actor: string,
    { maxConcurrent, lifetimeSeconds }: { maxConcurrent: number; lifetimeSeconds: number },
  ): Promise<UploadKey | undefined> {
    return this.database.transaction(async (executor) => {
      // Uploads that start at the same time wait for each other, so that the limit holds for all of them together.
      await executor.run(lockUploads, [submissionId]);
      const values = [submissionId, actor, maxConcurrent, lifetimeSeconds];
      const [row] = await executor.run<{ number: number }>(startUpload, values);
      return row && { submissionId, number: row.number };
    });
  }

  /** Shows that an upload is in progress. Returns false once its submission is not open any more. */
  async renew({ submissionId, number }: UploadKey): Promise<boolean> {
    const [row] = await this.database.run<{ isOpen: boolean }>(renewUpload, [submissionId, number]);
    return row?.isOpen ?? false;
  }

  /** Ends an upload and returns its counters. */
  async end({ submissionId, number }: UploadKey, executor: Executor = this.database): Promise<UploadCounts> {
    const [row] = await executor.run<UploadCounts>(endUpload, [submissionId, number]);
    return row ?? { lines: 0, accepted: 0, refused: 0, repeated: 0, unchanged: 0, corrections: 0 };
  }
}
