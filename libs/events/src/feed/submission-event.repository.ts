import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { translateErrors } from '@portage/platform';
import { SubmissionEventEntity } from '@portage/submissions';
import { IsNull, MoreThan, Repository } from 'typeorm';

/** An end of a submission that the feed does not show yet. */
export interface UnannouncedEnd {
  submissionId: string;
  number: number;
}

/**
 * The ends of submissions. The use case that ends a submission records it with its `finished_at`; it is announced, with its
 * place in the feed, once it is known whether the submission is reconciled.
 */
@Injectable()
export class SubmissionEventRepository {
  constructor(
    @InjectRepository(SubmissionEventEntity) private readonly ends: Repository<SubmissionEventEntity>,
  ) {}

  /** Up to `rows` ends that are not announced, of submissions after `after`. */
  async listUnannounced(after: string, rows: number): Promise<UnannouncedEnd[]> {
    return translateErrors(
      this.ends.find({
        select: { submissionId: true, number: true },
        where: { transactionId: IsNull(), submissionId: MoreThan(after) },
        order: { submissionId: 'ASC', number: 'ASC' },
        take: rows,
      }),
    );
  }

  /** Makes the feed show an end. Of concurrent callers one does it. */
  async announce({ submissionId, number }: UnannouncedEnd, reconciled: boolean): Promise<void> {
    const announced = { reconciled, transactionId: () => 'event_transaction_id()' };
    await translateErrors(this.ends.update({ submissionId, number, transactionId: IsNull() }, announced));
  }

  /** Removes an end that was not announced, because accounts of the submission were retried since. */
  async discard({ submissionId, number }: UnannouncedEnd): Promise<void> {
    await translateErrors(this.ends.delete({ submissionId, number, transactionId: IsNull() }));
  }
}
