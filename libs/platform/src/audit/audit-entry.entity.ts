import { Column, Entity, Index } from 'typeorm';
import type { AuditAction } from './audit';
import { IdColumn, ReadOnlyTimestampColumn } from '../database/schema/columns';

/** One audited action. The database refuses to change or to delete it. */
@Entity('audit_entry')
@Index('audit_entry_newest', ['occurredAt', 'id'])
// The counts of the entries that requests of a supplier have made, apart for those that only read.
@Index('audit_entry_tenant', ['supplier', 'occurredAt'], {
  where: `actor LIKE 'api-key:%' AND action <> 'account.read'`,
})
@Index('audit_entry_account_read', ['supplier', 'occurredAt'], {
  where: `actor LIKE 'api-key:%' AND action = 'account.read'`,
})
export class AuditEntryEntity {
  @IdColumn('bigint')
  id: string;

  @ReadOnlyTimestampColumn()
  occurredAt: string;

  /** The author of the action, such as `operator:<name>` or `api-key:<prefix>`. */
  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text' })
  action: AuditAction;

  /** Code of the supplier: an entry is understood without the rows that it is about. */
  @Column({ type: 'text', nullable: true })
  supplier: string | null;

  /** Number, name or prefix of the object of the action. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'jsonb', default: {} })
  details: Record<string, unknown>;
}
