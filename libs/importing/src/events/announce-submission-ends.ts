import { Injectable } from '@nestjs/common';
import { SubmissionEventRepository } from '@portage/database';
import { ReconcileSubmission } from '../submissions/reconcile-submission';

/** Ends that are read in one statement. */
const BATCH_SIZE = 100;

/** Announces the ends of submissions in the feed, once it is known whether each is reconciled. */
@Injectable()
export class AnnounceSubmissionEnds {
  constructor(
    private readonly ends: SubmissionEventRepository,
    private readonly reconciliation: ReconcileSubmission,
  ) {}

  /**
   * Announces all ends. An end whose accounts were retried since is dropped: the submission will end again.
   *
   * @returns the number of announced ends
   */
  async run(): Promise<number> {
    let announced = 0;
    for (let after = '0'; ;) {
      const batch = await this.ends.listUnannounced(after, BATCH_SIZE);
      for (const end of batch) {
        const { reconciled, unfinished } = await this.reconciliation.reconcile(end.submissionId);
        if (unfinished > 0) await this.ends.discard(end);
        else {
          await this.ends.announce(end, reconciled);
          announced += 1;
        }
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) return announced;
      after = last.submissionId;
    }
  }
}
