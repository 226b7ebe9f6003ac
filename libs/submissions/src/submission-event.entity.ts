import { quoteList, ReadOnlyTimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { SubmissionEntity } from './submission.entity';

/** The recorded end of a submission. A submission whose accounts were retried can end again. */
export const SUBMISSION_EVENTS = ['FINISHED', 'ABORTED'] as const;
export type SubmissionEvent = (typeof SUBMISSION_EVENTS)[number];

/** One end of a submission. A submission whose accounts were retried has several. */
@Entity('submission_event')
// The feed of a supplier. Unannounced events are not in it.
@Index('submission_event_feed', ['supplierId', 'transactionId', 'submissionId', 'number'], {
  where: 'transaction_id IS NOT NULL',
})
// The ends that do not agree with their control totals, for operators.
@Index('submission_event_unreconciled', ['supplierId', 'submissionId'], { where: 'NOT reconciled' })
@Check('submission_event_number_check', 'number > 0')
@Check('submission_event_event_check', `event IN (${quoteList(SUBMISSION_EVENTS)})`)
@Check('submission_event_check', '(reconciled IS NULL) = (transaction_id IS NULL)')
export class SubmissionEventEntity {
  // The events that the maintenance has yet to reconcile.
  @Index('submission_event_unannounced', { where: 'transaction_id IS NULL' })
  @PrimaryColumn({ type: 'bigint' })
  submissionId: string;

  @ManyToOne(() => SubmissionEntity)
  submission?: SubmissionEntity;

  /** Counts the ends of the submission, from 1. */
  @PrimaryColumn({ type: 'integer' })
  number: number;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @Column({ type: 'text' })
  event: SubmissionEvent;

  /** The accounts of the submission at its end: by status, and `refused`, `repeated` and `takenOver`. */
  @Column({ type: 'jsonb' })
  counts: Record<string, number>;

  @ReadOnlyTimestampColumn()
  occurredAt: string;

  /** True if the submission agrees with its control totals. Null until that was computed. */
  @Column({ type: 'boolean', nullable: true })
  reconciled: boolean | null;

  /** Position in the feed. Null until the event was announced. */
  @Column({ type: 'bigint', nullable: true })
  transactionId: string | null;
}
