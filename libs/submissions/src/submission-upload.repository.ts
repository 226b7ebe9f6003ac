import { Injectable } from '@nestjs/common';
import type { UploadKey } from '@portage/imports';
import { Database, takeAdvisoryLock, translateErrors } from '@portage/platform';
import { IsNull } from 'typeorm';
import { SubmissionUploadEntity } from './submission-upload.entity';
import { SubmissionEntity } from './submission.entity';
import type { UploadResult } from './submissions.dto';

/** The counters of one upload. */
export type UploadCounts = Omit<UploadResult, 'ignored_fields'>;

const COUNTS = [
  'lines',
  'accepted',
  'refused',
  'repeated',
  'unchanged',
  'corrections',
] satisfies (keyof UploadCounts)[];

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
      await takeAdvisoryLock(executor, 'uploads', submissionId);
      const { manager } = executor;
      const running = await manager
        .createQueryBuilder(SubmissionUploadEntity, 'upload')
        .where({ submissionId, endedAt: IsNull() })
        .andWhere(`upload.renewedAt > now() - :lifetimeSeconds * interval '1 second'`, { lifetimeSeconds })
        .getCount();
      if (running >= maxConcurrent) return undefined;
      const last = await manager.maximum(SubmissionUploadEntity, 'number', { submissionId });
      const upload = { submissionId, number: (last ?? 0) + 1 };
      await manager.insert(SubmissionUploadEntity, { ...upload, actor });
      return upload;
    });
  }

  /** Shows that an upload is in progress. Returns false once its submission is not open any more. */
  async renew({ submissionId, number }: UploadKey): Promise<boolean> {
    const { manager } = this.database;
    await translateErrors(
      manager.update(SubmissionUploadEntity, { submissionId, number }, { renewedAt: () => 'now()' }),
    );
    return translateErrors(manager.existsBy(SubmissionEntity, { id: submissionId, status: 'OPEN' }));
  }

  /** Ends an upload and returns its counters. */
  async end({ submissionId, number }: UploadKey): Promise<UploadCounts> {
    const ended = await translateErrors(
      this.database.manager
        .createQueryBuilder()
        .update(SubmissionUploadEntity)
        .set({ endedAt: () => 'now()' })
        .where({ submissionId, number })
        .returning(COUNTS)
        .execute(),
    );
    // Uploads are never deleted.
    return (ended.raw as [UploadCounts])[0];
  }
}
