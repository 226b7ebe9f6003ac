import type { MeasureValues } from '@portage/imports';
import type { AdditionMeasure } from './additions/addition-measures';
import { IdColumn, quoteList, ReadOnlyTimestampColumn, TimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, Index, ManyToOne, Unique } from 'typeorm';
import {
  STORED_SUBMISSION_STATUSES,
  type StoredSubmissionStatus,
  type SubmissionKind,
  type SubmissionMode,
} from './submission';

/** Control totals of either kind of submission: counts, or amounts as decimal text. */
export type ExpectedValues = Partial<MeasureValues & Record<AdditionMeasure, number | string>>;

/** A book of accounts that a supplier uploads, watches and reconciles as one unit. */
@Entity('submission')
@Unique('submission_reference', ['supplierId', 'reference'])
@Index('submission_list', ['supplierId', 'id'])
// The submissions of one kind, of all suppliers or of one.
@Index('submission_kind', ['kind', 'id'])
// The open submissions of all suppliers, which the overview of operators shows.
@Index('submission_open', ['id'], { where: `status = 'OPEN'` })
@Check('submission_status_check', `status IN (${quoteList(STORED_SUBMISSION_STATUSES)})`)
@Check('submission_kind_check', `kind IN ('accounts', 'additions')`)
@Check('submission_mode_check', `mode IN ('create', 'correct', 'create-or-correct')`)
@Check('submission_check', `(status = 'RECEIVED') = (completed_at IS NOT NULL AND status <> 'ABORTED')`)
@Check('submission_check1', `finished_at IS NULL OR status <> 'OPEN'`)
export class SubmissionEntity {
  // The submissions that the maintenance looks at: it notices that their last account has ended, and cancels what an
  // abort has left.
  @Index('submission_unfinished', { where: `status <> 'OPEN' AND finished_at IS NULL` })
  @IdColumn('bigint')
  id: string;

  // The count of the open submissions of a supplier.
  @Index('submission_open_of_supplier', { where: `status = 'OPEN'` })
  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  /** The supplier's own name for it. */
  @Column({ type: 'text' })
  reference: string;

  /** SHA-256 of the request that opened it, which distinguishes a repeated request from a changed one. */
  @Column({ type: 'bytea' })
  requestHash: Buffer;

  /** The control totals that the supplier stated; measures that it did not state are missing. */
  @Column({ type: 'jsonb' })
  expected: ExpectedValues;

  /** What its lines have. */
  @Column({ type: 'text', default: 'accounts' })
  kind: SubmissionKind;

  /** What becomes of accounts that exist, and of those that do not. */
  @Column({ type: 'text', default: 'create' })
  mode: SubmissionMode;

  /** True if its accounts have a dry run only. */
  @Column({ type: 'boolean' })
  isDryRun: boolean;

  @TimestampColumn({ nullable: true })
  scheduleWindowStart: string | null;

  @TimestampColumn({ nullable: true })
  scheduleWindowEnd: string | null;

  /** `statusOf` says what is shown. */
  @Column({ type: 'text', default: 'OPEN' })
  status: StoredSubmissionStatus;

  /** The API key that opened it. */
  @Column({ type: 'text' })
  actor: string;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  /** Time at which the supplier said that nothing more will be uploaded. */
  @TimestampColumn({ nullable: true })
  completedAt: string | null;

  /** Time at which the end of the last account was noticed. Null again after one of them was retried or released. */
  @TimestampColumn({ nullable: true })
  finishedAt: string | null;
}
