import { Injectable } from '@nestjs/common';
import { Logger } from '@portage/platform';
import { AbortSubmission, ReconcileSubmission, SubmissionRepository } from '@portage/submissions';
import { SubmissionEventRepository, type UnannouncedEnd } from './submission-event.repository';

/** Submissions, or ends of them, that are read in one statement. */
const BATCH_SIZE = 100;

/** The actor of the cancellations that an interrupted abort has left. */
const ACTOR = 'service:maintenance';

/**
 * Notices submissions whose last account has ended, and cancels what an interrupted abort has left. Announces the ends of
 * submissions in the feed, once it is known whether each is reconciled.
 */
@Injectable()
export class FinishSubmissions {
  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly abortion: AbortSubmission,
    private readonly ends: SubmissionEventRepository,
    private readonly reconciliation: ReconcileSubmission,
    private readonly logger: Logger,
  ) {}

  /** @returns the number of submissions whose end was noticed */
  async run(): Promise<number> {
    const finished = await this.finish();
    // Also those whose end a request has noticed.
    await this.announceAll();
    return finished;
  }

  private async finish(): Promise<number> {
    let finished = 0;
    for (let after = '0'; ;) {
      const batch = await this.submissions.listUnfinished(after, BATCH_SIZE);
      for (const submission of batch) {
        const { id, status, isActive, awaitsRelease } = submission;
        if (status === 'ABORTED' && (isActive || awaitsRelease))
          await this.abortion.cancelPending(submission, ACTOR, false);
        if (!isActive && (await this.submissions.finish(id)) !== undefined) finished += 1;
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) return finished;
      after = last.id;
    }
  }

  private async announceAll(): Promise<void> {
    for (let after = '0'; ;) {
      const batch = await this.ends.listUnannounced(after, BATCH_SIZE);
      for (const end of batch) await this.announce(end);
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) return;
      after = last.submissionId;
    }
  }

  /**
   * An end whose accounts were retried since is dropped: the submission will end again. One that cannot be reconciled is
   * left for the next run, and holds up no other.
   */
  private async announce(end: UnannouncedEnd): Promise<void> {
    try {
      const { reconciled, unfinished } = await this.reconciliation.reconcile(end.submissionId);
      if (unfinished > 0) await this.ends.discard(end);
      else await this.ends.announce(end, reconciled);
    } catch (error) {
      this.logger.warn('The end of a submission could not be announced; the next run tries again.', {
        error,
      });
    }
  }
}
