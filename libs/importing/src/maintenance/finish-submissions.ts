import { Injectable } from '@nestjs/common';
import { SubmissionRepository } from '@portage/database';
import { AbortSubmission } from '../submissions/abort-submission';

/** Submissions that are read in one statement. */
const BATCH_SIZE = 100;

/** The actor of the cancellations that an interrupted abort has left. */
const ACTOR = 'service:maintenance';

/** Notices submissions whose last account has ended, and cancels what an interrupted abort has left. */
@Injectable()
export class FinishSubmissions {
  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly abortion: AbortSubmission,
  ) {}

  /** @returns the number of submissions whose end was noticed */
  async run(): Promise<number> {
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
