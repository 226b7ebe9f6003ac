import { Injectable } from '@nestjs/common';
import { Logger } from '@portage/platform';
import { ReconcileSubmission } from '@portage/submissions';
import { SubmissionEventRepository, type UnannouncedEnd } from './submission-event.repository';

/** Ends that are read in one statement. */
const BATCH_SIZE = 100;

/** Announces the ends of submissions in the feed, once it is known whether each is reconciled. */
@Injectable()
export class AnnounceSubmissionEnds {
  constructor(
    private readonly ends: SubmissionEventRepository,
    private readonly reconciliation: ReconcileSubmission,
    private readonly logger: Logger,
  ) {}

  /**
   * Announces all ends. An end whose accounts were retried since is dropped: the submission will end again. One that
   * cannot be reconciled is left for the next run, and holds up no other.
   *
   * @returns the number of announced ends
   */
  async run(): Promise<number> {
    let announced = 0;
    for (let after = '0'; ;) {
      const batch = await this.ends.listUnannounced(after, BATCH_SIZE);
      for (const end of batch) if (await this.announce(end)) announced += 1;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) return announced;
      after = last.submissionId;
    }
  }

  private async announce(end: UnannouncedEnd): Promise<boolean> {
    try {
      const { reconciled, unfinished } = await this.reconciliation.reconcile(end.submissionId);
      if (unfinished > 0) await this.ends.discard(end);
      else await this.ends.announce(end, reconciled);
      return unfinished === 0;
    } catch (error) {
      this.logger.warning('The end of a submission could not be announced; the next run tries again.', {
        error,
      });
      return false;
    }
  }
}
