import {
  type FieldError,
  IdColumn,
  ReadOnlyTimestampColumn,
  TimestampColumn,
  TimestampNowColumn,
} from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, ForeignKey, Index, ManyToOne, Unique } from 'typeorm';
import type { ImportProcessStatus, StagingState } from './status';
import type { LatestEvent } from './event';

/** A field that an error is about, without its value. */
export type FailedField = Pick<FieldError, 'attr' | 'code'>;

/**
 * The import of one account (contract, "Import process in v2"). The row is narrow and often updated; payload and events
 * have tables of their own. `version` counts how often the account was scheduled, `attempt` the starts of one version;
 * together they are the fencing token that a late worker fails on.
 */
@Entity('import_process')
@Unique('import_process_account_number', ['supplierId', 'externalAccountNumber'])
@Unique('import_process_identifier', ['supplierId', 'externalIdentifier'])
// The lists of a supplier, in the order of creation.
@Index('import_process_list', ['supplierId', 'id'])
// Payload retention reads the oldest finished processes without an account whose payload is still stored.
@Index('import_process_payload_kept', ['supplierId', 'modifiedAt'], {
  where: `status IN ('DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED') AND payload_hash <> '\\x'`,
})
// The counts of a submission by status, and its accounts of one status in the order of creation.
@Index('import_process_submission', ['submissionId', 'status', 'id'], { where: 'submission_id IS NOT NULL' })
// The processes of an error code, and their counts. Processes without an error are not in it.
@Index('import_process_error', ['supplierId', 'errorCode', 'id'], { where: 'error_code IS NOT NULL' })
// Counts by status, without a read of the table, and lists of one status.
@Index('import_process_status', ['supplierId', 'status', 'id'])
// The sweeper reads the longest waiting processes of each supplier that is not paused.
@Index('import_process_unfinished_of_supplier', ['supplierId', 'status', 'enqueuedAt'], {
  where: `status IN ('PENDING', 'IN_PROGRESS') AND enqueued_at < 'infinity'`,
})
// The sweeper reads the processes whose schedule window has opened.
@Index('import_process_due', ['supplierId', 'enqueuedAt', 'id'], {
  where: `status = 'PENDING' AND enqueued_at = schedule_window_start`,
})
// The accounts of a supplier that wait until an operator releases them.
@Index('import_process_awaiting_release', ['supplierId', 'isDryRun', 'id'], {
  where: `status = 'DRY_RUN_SUCCEEDED'`,
})
@Check(
  'import_process_status_check',
  `status IN ('PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'PROCESSED', 'ERRORED')`,
)
@Check('import_process_latest_event_check', `latest_event IN ('CREATED', 'PROCESSED', 'ERRORED')`)
@Check('import_process_staging_check', `staging IN ('WAITING', 'PROCESSING')`)
@Check('import_process_check', `(status = 'PROCESSED') = (account_number IS NOT NULL)`)
@Check('import_process_check1', `(status IN ('ERRORED', 'DRY_RUN_ERRORED')) = (error_code IS NOT NULL)`)
export class ImportProcessEntity {
  @IdColumn('bigint')
  id: string;

  // The count of the staged accounts of a supplier.
  @Index('import_process_staged', { where: `staging = 'WAITING' AND status = 'PENDING'` })
  // The count of the accounts of a supplier that requests process at the moment.
  @Index('import_process_processing', {
    where: `staging = 'PROCESSING' AND status IN ('PENDING', 'IN_PROGRESS')`,
  })
  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @Column({ type: 'text' })
  externalAccountNumber: string;

  /** Null once the payload of a process without an account was erased, unless it is the account number. */
  @Column({ type: 'text', nullable: true })
  externalIdentifier: string | null;

  @Column({ type: 'text' })
  status: ImportProcessStatus;

  @Column({ type: 'integer', default: 1 })
  version: number;

  @Column({ type: 'integer', default: 0 })
  attempt: number;

  /** True if the supplier has requested a dry run only. */
  @Column({ type: 'boolean' })
  isDryRun: boolean;

  /** True if an operator has released the process after its dry run. */
  @Column({ type: 'boolean', default: false })
  isReleased: boolean;

  /** Set for an account that was staged (v1) and is processed on request. Its `enqueuedAt` is infinite. */
  @Column({ type: 'text', nullable: true })
  staging: StagingState | null;

  /**
   * SHA-256 of the payload and its parameters, which distinguishes a repeated request from a changed one. Empty once erased.
   */
  @Column({ type: 'bytea' })
  payloadHash: Buffer;

  /** SHA-256 of the payload alone, as suppliers see it. Null after the payload was erased. */
  @Column({ type: 'bytea', nullable: true })
  payloadDigest: Buffer | null;

  @TimestampColumn({ nullable: true })
  scheduleWindowStart: string | null;

  @TimestampColumn({ nullable: true })
  scheduleWindowEnd: string | null;

  /** The platform account number of the account that it created. */
  @Column({ type: 'text', nullable: true })
  accountNumber: string | null;

  @TimestampColumn({ nullable: true })
  accountCreatedAt: string | null;

  @Column({ type: 'text' })
  latestEvent: LatestEvent;

  @TimestampNowColumn()
  latestEventAt: string;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'text', nullable: true })
  errorDetail: string | null;

  /** The fields that the error is about, at most 20, without values; null if it names none. */
  @Column({ type: 'json', nullable: true })
  errorFields: FailedField[] | null;

  /**
   * What is implausible in the account; null if nothing is. Of the last run that succeeded, so they hold only in its status
   * (`warningsOfProcess`).
   */
  @Column({ type: 'json', nullable: true })
  warnings: FieldError[] | null;

  /** Time at which its job was last added to the queue, or was due. The sweeper reads only unfinished processes. */
  @TimestampNowColumn()
  enqueuedAt: string;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @TimestampNowColumn()
  modifiedAt: string;

  /** The submission that has sent the account last; null if it was sent by itself. */
  @ForeignKey('SubmissionEntity')
  @Column({ type: 'bigint', nullable: true })
  submissionId: string | null;

  /** The batch whose job imports this version: a random number. Null if the version has a job of its own. */
  @Column({ type: 'bigint', nullable: true })
  batchId: string | null;
}
