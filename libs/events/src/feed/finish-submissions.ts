import { Injectable } from '@nestjs/common';
import { AbortSubmission, SubmissionRepository } from '@portage/submissions';
import { AnnounceSubmissionEnds } from './announce-submission-ends';

/** Submissions that are read in one statement. */
const BATCH_SIZE = 100;

/** The actor of the cancellations that an interrupted abort has left. */
const ACTOR = 'service:maintenance';

/**
 * Notices submissions whose last account has ended, announces their ends in the feed of events, and cancels what an
 * interrupted abort has left.
 */
@Injectable()
export class FinishSubmissions {
  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly abortion: AbortSubmission,
    private readonly announcement: AnnounceSubmissionEnds,
  ) {}

  /** @returns the number of submissions whose end was noticed */
  async run(): Promise<number> {
    const finished = await this.finish();
    // Also those whose end a request has noticed.
    await this.announcement.run();
    return finished;
  }

  private async finish(): Promise<number> {
    let finished = 0;
    for (let after = '0'; ;) {
      const batch = await this.submissions.listUnfinished(after, BATCH_SIZE);
      for (const submission of batch) {
        if (submission.status === 'ABORTED' && submission.isActive)
          await this.abortion.cancelPending(submission, ACTOR, false);
        else if (!submission.isActive && (await this.submissions.finish(submission.id)) !== undefined)
          finished += 1;
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) return finished;
      after = last.id;
    }
  }
}
