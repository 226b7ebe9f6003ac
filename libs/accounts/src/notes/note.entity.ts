import { IdColumn, TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** A note for support staff (contract, "Note"). */
@Entity('note')
@Index('note_account', ['accountId', 'id'])
@Index('note_external_id', ['accountId', 'externalId'], { where: 'external_id IS NOT NULL' })
// On note_identity(body, document_paths), which TypeORM cannot declare: see schema-exceptions.ts.
@Index('note_identity', { synchronize: false })
@Check('note_check', `body IS NOT NULL OR document_paths <> '{}'`)
export class NoteEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @Column({ type: 'text', nullable: true })
  body: string | null;

  /** Time of writing; the time of the import unless the supplier sent one. */
  @TimestampNowColumn()
  createdAt: string;

  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  @Column({ type: 'boolean' })
  isPinned: boolean;

  @TimestampColumn({ nullable: true })
  unpinAt: string | null;

  @Column({ type: 'boolean' })
  isArchived: boolean;

  @Column({ type: 'text', array: true })
  documentPaths: string[];

  /** The API key that posted it; null if it came with the account. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;
}
