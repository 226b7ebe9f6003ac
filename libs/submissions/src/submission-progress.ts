import { Injectable } from '@nestjs/common';
import { type StoredSubmission, type SubmissionCounts, SubmissionRepository } from './submission.repository';

/** How long the counts of a submission are reused, so that clients that poll cost little. */
const MAX_AGE_MS = 1_000;

/** Submissions whose counts are remembered. Beyond it the oldest are forgotten. */
const MAX_REMEMBERED = 1_000;

/** The counts of a submission, and how fast its accounts come to their end. */
export interface Progress {
  counts: SubmissionCounts;
  /** Accounts in a second; undefined if none has ended in the last minute. */
  perSecond: number | undefined;
}

/** Reads the counts of submissions, at most once a second for each submission and process. */
@Injectable()
export class SubmissionProgress {
  private readonly reads = new Map<string, { at: number; progress: Promise<Progress> }>();

  constructor(private readonly submissions: SubmissionRepository) {}

  /** The counts, of one moment within the last second. They are not older than the given status of the submission. */
  async read({ id, status }: Pick<StoredSubmission, 'id' | 'status'>): Promise<Progress> {
    const key = `${id} ${status}`;
    const now = performance.now();
    const remembered = this.reads.get(key);
    if (remembered && now - remembered.at < MAX_AGE_MS) return remembered.progress;
    const progress = this.load(id);
    // The entry moves to the end, so that the first one is the oldest.
    this.reads.delete(key);
    this.reads.set(key, { at: now, progress });
    progress.catch(() => this.reads.delete(key));
    for (const [oldest] of this.reads) {
      if (this.reads.size <= MAX_REMEMBERED) break;
      this.reads.delete(oldest);
    }
    return progress;
  }

  /** Forgets the counts of a submission that this process has changed. */
  forget({ id, status }: Pick<StoredSubmission, 'id' | 'status'>): void {
    this.reads.delete(`${id} ${status}`);
  }

  private async load(id: string): Promise<Progress> {
    const [counts, perSecond] = await Promise.all([
      this.submissions.count(id),
      this.submissions.measureRate(id),
    ]);
    return { counts, perSecond };
  }
}
