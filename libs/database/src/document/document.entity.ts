import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** A file below the supplier's document root that a statement or a note points at, and what was found there. */
@Entity('document')
export class DocumentEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ type: 'text' })
  path: string;

  @Column({ type: 'text' })
  kind: 'statement' | 'note';

  @Column({ type: 'text' })
  state: 'PENDING' | 'STORED' | 'MISSING' | 'REFUSED';

  /** In bytes. */
  @Column({ type: 'bigint', nullable: true })
  size: string | null;

  @Column({ name: 'media_type', type: 'text', nullable: true })
  mediaType: string | null;

  @Column({ type: 'bytea', nullable: true })
  sha256: Buffer | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @TimestampColumn('enqueued_at')
  enqueuedAt: string;

  @TimestampColumn('inspected_at', { nullable: true })
  inspectedAt: string | null;

  @TimestampColumn('created_at')
  createdAt: string;
}
