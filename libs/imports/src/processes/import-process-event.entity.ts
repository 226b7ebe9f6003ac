import { quoteList, ReadOnlyTimestampColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { FEED_PROCESS_EVENTS, type ImportProcessEvent } from './event';
import { ImportProcessEntity } from './import-process.entity';

/** One stored change of an import process. Rows are only ever added, and are the source of the feed of events. */
@Entity('import_process_event')
// The audit trail reads who scheduled an account or a correction from here, so that neither writes an audit entry.
@Index('import_process_event_scheduled', ['occurredAt', 'processId', 'version'], {
  where: `event IN ('SCHEDULED', 'CORRECTION_SCHEDULED') AND actor IS NOT NULL`,
})
// The feed of a supplier. Events that suppliers do not see are not in it.
@Index(
  'import_process_event_feed',
  ['supplierId', 'transactionId', 'processId', 'version', 'attempt', 'event'],
  {
    where: 'transaction_id IS NOT NULL',
  },
)
@Check(
  'import_process_event_feed_check',
  `event NOT IN (${quoteList(FEED_PROCESS_EVENTS)})
    OR (supplier_id IS NOT NULL AND transaction_id IS NOT NULL)`,
)
export class ImportProcessEventEntity {
  @PrimaryColumn({ type: 'bigint' })
  processId: string;

  @ManyToOne(() => ImportProcessEntity)
  process?: ImportProcessEntity;

  @PrimaryColumn({ type: 'integer' })
  version: number;

  @PrimaryColumn({ type: 'integer' })
  attempt: number;

  @PrimaryColumn({ type: 'text' })
  event: ImportProcessEvent;

  @ReadOnlyTimestampColumn()
  occurredAt: string;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  /** The person or API key that caused the event; null for events of workers. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;

  /** Set, as the position in the feed, for the events that suppliers see. No foreign key: the process has one. */
  @Column({ type: 'integer', nullable: true })
  supplierId: number | null;

  /** The submission that had sent the account when the event was written. */
  @Column({ type: 'bigint', nullable: true })
  submissionId: string | null;

  /** Position in the feed: `event_transaction_id()` of the transaction that wrote the event. */
  @Column({ type: 'bigint', nullable: true })
  transactionId: string | null;
}
