import { TimestampNowColumn } from '@portage/platform';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { ImportProcessEntity } from './import-process.entity';

/** The account as the supplier sent it, with its undocumented fields. */
@Entity('import_process_payload')
export class ImportProcessPayloadEntity {
  @PrimaryColumn({ type: 'bigint' })
  processId: string;

  @ManyToOne(() => ImportProcessEntity)
  process?: ImportProcessEntity;

  /** json, not jsonb: stored exactly as it was sent. */
  @Column({ type: 'json' })
  payload: unknown;

  /** Digest of release, settings, lists and day by which the API has found it valid; null if it was not validated. */
  @Column({ type: 'bigint', nullable: true })
  contextDigest: string | null;

  @TimestampNowColumn()
  receivedAt: string;
}
