import type { ImportProcessEvent } from '@portage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** One stored change of an import process. Rows are only ever added. */
@Entity('import_process_event')
export class ImportProcessEventEntity {
  @PrimaryColumn({ name: 'process_id', type: 'bigint' })
  processId: string;

  @PrimaryColumn({ type: 'int' })
  version: number;

  @PrimaryColumn({ type: 'int' })
  attempt: number;

  @PrimaryColumn({ type: 'text' })
  event: ImportProcessEvent;

  @TimestampColumn('occurred_at')
  occurredAt: string;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  /** Who did it; null where it was nobody in particular, but a worker. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;
}
