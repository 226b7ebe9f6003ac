import type { AuditAction } from '@portage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn } from '../schema/timestamp-column';

/** One thing that somebody did. The database refuses to change or to delete it. */
@Entity('audit_entry')
export class AuditEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @CreatedAtColumn('occurred_at')
  occurredAt: string;

  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text' })
  action: AuditAction;

  @Column({ type: 'text', nullable: true })
  supplier: string | null;

  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}
