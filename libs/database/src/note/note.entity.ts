import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** Something that support staff should know (contract 2.4). */
@Entity('note')
export class NoteEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ type: 'text', nullable: true })
  body: string | null;

  /** When it was written; the time of import unless given. */
  @TimestampColumn('created_at')
  createdAt: string;

  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId: string | null;

  @Column({ name: 'is_pinned', type: 'boolean' })
  isPinned: boolean;

  @TimestampColumn('unpin_at', { nullable: true })
  unpinAt: string | null;

  @Column({ name: 'is_archived', type: 'boolean' })
  isArchived: boolean;

  @Column({ name: 'document_paths', type: 'text', array: true })
  documentPaths: string[];
}
