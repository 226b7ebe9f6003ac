import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** The account as the supplier sent it, undocumented fields included. */
@Entity('import_process_payload')
export class ImportProcessPayloadEntity {
  @PrimaryColumn({ name: 'process_id', type: 'bigint' })
  processId: string;

  @Column({ type: 'json' })
  payload: unknown;

  @TimestampColumn('received_at')
  receivedAt: string;
}
