import { ImportProcessEntity, type SubmissionLineError } from '@portage/imports';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { SubmissionUploadEntity } from './submission-upload.entity';

/**
 * The line of a submission that counts for an account: where it was, its measures, and either the process of the account
 * or why there is none. An account with a process may have one more: the last further line about it, which was refused
 * or repeats it.
 */
@Entity('submission_line')
@Index('submission_line_refused', ['submissionId', 'refusedKey'], {
  unique: true,
  where: 'refused_key IS NOT NULL',
})
@Index('submission_line_outcome', ['submissionId', 'outcome', 'uploadNumber', 'line'], {
  where: 'outcome IS NOT NULL',
})
@Check('submission_line_line_check', 'line > 0')
@Check(
  'submission_line_outcome_check',
  `outcome IN ('refused', 'repeated', 'cancelled', 'unchanged', 'correction')`,
)
@Check('submission_line_check', '(process_id IS NULL) = (outcome IS NOT NULL)')
@Check('submission_line_check1', '(outcome IS NULL) = (refused_key IS NULL)')
@Check(
  'submission_line_check2',
  `(coalesce(outcome, '') IN ('unchanged', 'correction')) = (imported_process_id IS NOT NULL)`,
)
export class SubmissionLineEntity {
  @PrimaryColumn({ type: 'bigint' })
  submissionId: string;

  @PrimaryColumn({ type: 'integer' })
  uploadNumber: number;

  @ManyToOne(() => SubmissionUploadEntity)
  @JoinColumn([
    { name: 'submission_id', referencedColumnName: 'submissionId' },
    { name: 'upload_number', referencedColumnName: 'number' },
  ])
  upload?: SubmissionUploadEntity;

  /** The line in its upload, from 1; blank lines are counted. */
  @PrimaryColumn({ type: 'integer' })
  line: number;

  @Index('submission_line_process', { unique: true, where: 'process_id IS NOT NULL' })
  @Column({ type: 'bigint', nullable: true })
  processId: string | null;

  @ManyToOne(() => ImportProcessEntity)
  process?: ImportProcessEntity | null;

  /**
   * The process of an account that was imported before the line: for the outcomes `unchanged` and `correction`. Any number of
   * submissions can have such a line.
   */
  @Index('submission_line_imported', { where: 'imported_process_id IS NOT NULL' })
  @Column({ type: 'bigint', nullable: true })
  importedProcessId: string | null;

  @ManyToOne(() => ImportProcessEntity)
  importedProcess?: ImportProcessEntity | null;

  /** Set without a process, as far as the line could be read. */
  @Column({ type: 'text', nullable: true })
  externalAccountNumber: string | null;

  /**
   * SHA-256 of the account number of a line without a process, or of the line if it has none: sent again, it is stored
   * once.
   */
  @Column({ type: 'bytea', nullable: true })
  refusedKey: Buffer | null;

  /** The supplier of a refused line, by which its quota is counted. */
  @Index('submission_line_refused_of_supplier', { where: 'refused_supplier_id IS NOT NULL' })
  @Column({ type: 'integer', nullable: true })
  refusedSupplierId: number | null;

  /**
   * Set without a process. `repeated`: the account of another line, with the same content; not counted and without
   * measures. `cancelled`: another submission has sent the account since. `unchanged`: the account was imported before with
   * this content. `correction`: it was imported before with other content.
   */
  @Column({ type: 'text', nullable: true })
  outcome: 'refused' | 'repeated' | 'cancelled' | 'unchanged' | 'correction' | null;

  /** Digest of the payload of a line without a process; null if it could not be read, or was erased. */
  @Column({ type: 'bytea', nullable: true })
  payloadDigest: Buffer | null;

  /** Set with `outcome`. */
  @Column({ type: 'json', nullable: true })
  errors: SubmissionLineError[] | null;

  // The measures of the account, as it was sent.

  @Column({ type: 'integer' })
  customers: number;

  @Column({ type: 'integer' })
  supplyPoints: number;

  @Column({ type: 'integer' })
  statements: number;

  @Column({ type: 'integer' })
  transactions: number;

  /** Decimal text, in the currency of the supplier. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  openingBalance: string;

  @Column({ type: 'integer' })
  paymentInstructions: number;

  @Column({ type: 'integer' })
  debts: number;

  /** Of meters: those of the transfer, and those of the history. */
  @Column({ type: 'integer' })
  readings: number;

  /** In whole minor units of the currency of the supplier. */
  @Column({ type: 'numeric', precision: 20, scale: 0 })
  statementTotal: string;

  /** The sum of the balances below zero. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  openingDebits: string;

  /** The sum of the balances above zero. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  openingCredits: string;

  /** The files that statements and notes name. */
  @Column({ type: 'integer' })
  documents: number;
}
