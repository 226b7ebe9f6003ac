import type { ImportProcessEvent } from '@portage/domain';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampNowColumn } from '../schema/columns';
import { ImportProcessEntity } from './import-process.entity';

/** One stored change of an import process. Rows are only ever added. */
@Entity('import_process_event')
// The audit trail reads who scheduled an account from here, so that scheduling writes no audit entry.
@Index('import_process_event_scheduled', ['occurredAt', 'processId', 'version'], {
  where: `event = 'SCHEDULED' AND actor IS NOT NULL`,
})
export class ImportProcessEventEntity {
  @ForeignKey(() => ImportProcessEntity)
  @PrimaryColumn({ type: 'bigint' })
  processId: string;

  @PrimaryColumn({ type: 'integer' })
  version: number;

  @PrimaryColumn({ type: 'integer' })
  attempt: number;

  @PrimaryColumn({ type: 'text' })
  event: ImportProcessEvent;

  @TimestampNowColumn()
  occurredAt: string;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  /** The person or API key that caused the event; null for events of workers. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;
}
