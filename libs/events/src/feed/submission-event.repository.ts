import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';

/** An end of a submission that the feed does not show yet. */
export interface UnannouncedEnd {
  submissionId: string;
  number: number;
}

const listUnannounced: Statement = {
  name: 'list-unannounced-submission-events',
  text: `
    SELECT submission_id, number FROM submission_event
    WHERE transaction_id IS NULL AND submission_id > $1 ORDER BY submission_id, number LIMIT $2`,
};

const announce: Statement = {
  name: 'announce-submission-event',
  text: `
    UPDATE submission_event SET reconciled = $3, transaction_id = event_transaction_id()
    WHERE submission_id = $1 AND number = $2 AND transaction_id IS NULL`,
};

const discard: Statement = {
  name: 'discard-submission-event',
  text: 'DELETE FROM submission_event WHERE submission_id = $1 AND number = $2 AND transaction_id IS NULL',
};

/**
 * The ends of submissions. The use case that ends a submission records it with its `finished_at`; it is announced, with its
 * place in the feed, once it is known whether the submission is reconciled.
 */
@Injectable()
export class SubmissionEventRepository {
  constructor(private readonly database: Database) {}

  /** Up to `rows` ends that are not announced, of submissions after `after`. */
  async listUnannounced(after: string, rows: number): Promise<UnannouncedEnd[]> {
    return this.database.run<UnannouncedEnd>(listUnannounced, [after, rows]);
  }

  /** Makes the feed show an end. Of concurrent callers one does it. */
  async announce({ submissionId, number }: UnannouncedEnd, reconciled: boolean): Promise<void> {
    await this.database.run(announce, [submissionId, number, reconciled]);
  }

  /** Removes an end that was not announced, because accounts of the submission were retried since. */
  async discard({ submissionId, number }: UnannouncedEnd): Promise<void> {
    await this.database.run(discard, [submissionId, number]);
  }
}
