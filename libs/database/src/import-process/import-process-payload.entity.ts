import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampNowColumn } from '../schema/columns';
import { ImportProcessEntity } from './import-process.entity';

/** The account as the supplier sent it, with its undocumented fields. */
@Entity('import_process_payload')
export class ImportProcessPayloadEntity {
  @ForeignKey(() => ImportProcessEntity)
  @PrimaryColumn({ type: 'bigint' })
  processId: string;

  /** json, not jsonb: stored exactly as it was sent. */
  @Column({ type: 'json' })
  payload: unknown;

  @TimestampNowColumn()
  receivedAt: string;
}
