import { TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, ForeignKey, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import type { CorrectionStatus } from './status';
import { ImportProcessEntity } from './import-process.entity';
import type { AccountChange } from './account-changes';

/**
 * A correction of an imported account: a version of its process that replaces what the import has written. The process
 * stays PROCESSED, whatever becomes of it. An account has one pending correction at a time.
 */
@Entity('import_process_correction')
@Index('import_process_correction_unfinished', ['supplierId', 'enqueuedAt'], { where: `status = 'PENDING'` })
@Index('import_process_correction_submission', ['submissionId', 'status', 'processId'], {
  where: 'submission_id IS NOT NULL',
})
@Check('import_process_correction_status_check', `status IN ('PENDING', 'SUCCEEDED', 'ERRORED', 'CANCELLED')`)
@Check('import_process_correction_check', `(status = 'PENDING') = (ended_at IS NULL)`)
@Check('import_process_correction_check1', `(status = 'ERRORED') = (error_code IS NOT NULL)`)
export class ImportProcessCorrectionEntity {
  @Index('import_process_correction_pending', { unique: true, where: `status = 'PENDING'` })
  @PrimaryColumn({ type: 'bigint' })
  processId: string;

  @ManyToOne(() => ImportProcessEntity)
  process?: ImportProcessEntity;

  /** The version of the process that it is. */
  @PrimaryColumn({ type: 'integer' })
  version: number;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  /** The submission that has sent it; null if it was sent by itself. */
  @ForeignKey('SubmissionEntity')
  @Column({ type: 'bigint', nullable: true })
  submissionId: string | null;

  @Column({ type: 'text', default: 'PENDING' })
  status: CorrectionStatus;

  /** True if it ends without a change. */
  @Column({ type: 'boolean' })
  isDryRun: boolean;

  /** Repeated runs of it. */
  @Column({ type: 'integer', default: 0 })
  attempt: number;

  /** The whole account as it was sent. Null once the correction has ended: the process has it then. */
  @Column({ type: 'json', nullable: true })
  payload: unknown;

  /** SHA-256 of the payload and its parameters. */
  @Column({ type: 'bytea' })
  payloadHash: Buffer;

  /** SHA-256 of the payload alone. Null once it was erased. */
  @Column({ type: 'bytea', nullable: true })
  payloadDigest: Buffer | null;

  /** Digest of the context in which the API has found the payload valid. */
  @Column({ type: 'bigint', nullable: true })
  contextDigest: string | null;

  /** What it changes; null once that was erased. */
  @Column({ type: 'json', nullable: true })
  changes: AccountChange[] | null;

  /** The number of all changes, of which `changes` has the first ones. */
  @Column({ type: 'integer' })
  changeCount: number;

  /** The API key that sent it. */
  @Column({ type: 'text' })
  actor: string;

  /** The batch whose job performs it; null if it has a job of its own. */
  @Column({ type: 'bigint', nullable: true })
  batchId: string | null;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'text', nullable: true })
  errorDetail: string | null;

  /** Time at which its job was last added to the queue. */
  @TimestampNowColumn()
  enqueuedAt: string;

  @TimestampNowColumn()
  createdAt: string;

  @TimestampColumn({ nullable: true })
  endedAt: string | null;
}
