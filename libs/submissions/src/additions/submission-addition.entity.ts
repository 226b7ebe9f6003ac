import { type AdditionKind } from '@portage/accounts';
import type { SubmissionLineError } from '@portage/imports';
import { IdColumn, quoteList, TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { SubmissionUploadEntity } from '../submission-upload.entity';
import type { AdditionMeasureValues } from './addition-measures';

/** The states of an addition. IN_PROGRESS is a payment instruction that waits for its vendor. */
export const ADDITION_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'PROCESSED',
  'UNCHANGED',
  'ERRORED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'REFUSED',
] as const;
export type AdditionStatus = (typeof ADDITION_STATUSES)[number];

/** What was done of an addition that was performed. */
export interface AdditionResult {
  /** Items that are new. */
  added: number;
  /** Items that the account had already, and of them those with other content. */
  existing: number;
  different: number;
  /** Transactions whose date was moved into the open statement period. */
  moved: number;
}

/** A line of a submission of additions: one request about an imported account, and what became of it. */
@Entity('submission_addition')
@Index('submission_addition_line', ['submissionId', 'uploadNumber', 'line'], { unique: true })
@Index('submission_addition_digest', ['submissionId', 'digest'], { unique: true })
@Index('submission_addition_unfinished', ['submissionId', 'shard', 'id'], {
  where: `status IN ('PENDING', 'IN_PROGRESS')`,
})
@Index('submission_addition_account', ['supplierId', 'externalAccountNumber'])
@Index('submission_addition_due', ['dueAt'], { where: `status = 'PENDING'` })
@Index('submission_addition_request', ['submissionId', 'requestId'], { where: `status = 'IN_PROGRESS'` })
@Index('submission_addition_retried', ['submissionId', 'externalAccountNumber'], {
  where: `status = 'PENDING' AND attempt > 0`,
})
@Index('submission_addition_refused', ['supplierId'], { where: `status = 'REFUSED'` })
@Check('submission_addition_status_check', `status IN (${quoteList(ADDITION_STATUSES)})`)
@Check('submission_addition_check', `(status IN ('PENDING', 'IN_PROGRESS')) = (input IS NOT NULL)`)
@Check('submission_addition_check1', `(status = 'IN_PROGRESS') = (request_id IS NOT NULL)`)
export class SubmissionAdditionEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'bigint' })
  submissionId: string;

  @Column({ type: 'integer' })
  uploadNumber: number;

  @ManyToOne(() => SubmissionUploadEntity)
  @JoinColumn([
    { name: 'submission_id', referencedColumnName: 'submissionId' },
    { name: 'upload_number', referencedColumnName: 'number' },
  ])
  upload?: SubmissionUploadEntity;

  /** The line in its upload, from 1; blank lines are counted. */
  @Column({ type: 'integer' })
  line: number;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  /** Additions of one account have the same, and those of one shard are performed one after the other. */
  @Column({ type: 'smallint' })
  shard: number;

  /** Null if the line could not be read. */
  @Column({ type: 'text', nullable: true })
  kind: AdditionKind | null;

  @Column({ type: 'text', nullable: true })
  externalAccountNumber: string | null;

  /** SHA-256 of the line, by which it is found again if it is sent again. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  status: AdditionStatus;

  /** What is added, as it was validated. json, not jsonb: amounts stay as they were sent. Null once it has ended. */
  @Column({ type: 'json', nullable: true })
  input: unknown;

  /** Characters of `input`. */
  @Column({ type: 'integer' })
  size: number;

  @Column({ type: 'jsonb' })
  measures: AdditionMeasureValues;

  /** The request that verifies a payment instruction. Finished requests are deleted after some hours. */
  @Column({ type: 'bigint', nullable: true })
  requestId: string | null;

  /** Times that a payment instruction was sent to its vendor. */
  @Column({ type: 'integer', default: 0 })
  attempt: number;

  /** The earliest time of the next attempt; later than now if its vendor was unavailable. */
  @TimestampNowColumn()
  dueAt: string;

  @Column({ type: 'json', nullable: true })
  result: AdditionResult | null;

  @Column({ type: 'json', nullable: true })
  errors: SubmissionLineError[] | null;

  @TimestampColumn({ nullable: true })
  endedAt: string | null;
}
