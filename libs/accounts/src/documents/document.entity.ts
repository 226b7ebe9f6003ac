import { IdColumn, TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne, Unique } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** A file below the supplier's document root that a statement or a note refers to, and the result of its inspection. */
@Entity('document')
// The unsettled documents of a supplier, account by account.
@Index('document_unsettled_account', ['accountId', 'id'], { where: `state IN ('MISSING', 'REFUSED')` })
// Those that were not found so far.
@Index('document_pending_account', ['accountId', 'id'], { where: `state = 'PENDING'` })
// Those of a supplier by their state, for operators.
@Index('document_unsettled_of_supplier', ['unsettledSupplierId', 'state', 'id'], {
  where: `state IN ('MISSING', 'REFUSED')`,
})
@Unique('document_path', ['accountId', 'path', 'kind'])
@Check('document_kind_check', `kind IN ('statement', 'note')`)
@Check('document_state_check', `state IN ('PENDING', 'STORED', 'MISSING', 'REFUSED')`)
@Check('document_check', `(state = 'STORED') = (sha256 IS NOT NULL)`)
export class DocumentEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  /** Below the supplier's document root. The index `document_place` finds other accounts that name the document. */
  @Column({ type: 'text' })
  path: string;

  @Column({ type: 'text' })
  kind: 'statement' | 'note';

  @Column({ type: 'text', default: 'PENDING' })
  state: 'PENDING' | 'STORED' | 'MISSING' | 'REFUSED';

  /** In bytes. */
  @Column({ type: 'bigint', nullable: true })
  size: string | null;

  @Column({ type: 'text', nullable: true })
  mediaType: string | null;

  @Column({ type: 'bytea', nullable: true })
  sha256: Buffer | null;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  /** The supplier of a document that is MISSING or REFUSED, or was. Null for one that never was. */
  @Column({ type: 'integer', nullable: true })
  unsettledSupplierId: number | null;

  @Index('document_pending', { where: `state = 'PENDING'` })
  @TimestampNowColumn()
  enqueuedAt: string;

  @TimestampColumn({ nullable: true })
  inspectedAt: string | null;

  @TimestampNowColumn()
  createdAt: string;
}
