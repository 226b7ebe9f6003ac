import { TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Check, Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { SubmissionEntity } from './submission.entity';

/** One request that uploads accounts of a submission. */
@Entity('submission_upload')
@Check('submission_upload_number_check', 'number > 0')
export class SubmissionUploadEntity {
  @PrimaryColumn({ type: 'bigint' })
  submissionId: string;

  @ManyToOne(() => SubmissionEntity)
  submission?: SubmissionEntity;

  /** Counts the uploads of the submission, from 1. */
  @PrimaryColumn({ type: 'integer' })
  number: number;

  /** The API key that sent it. */
  @Column({ type: 'text' })
  actor: string;

  /** Lines that were read and stored, without blank ones. */
  @Column({ type: 'integer', default: 0 })
  lines: number;

  @Column({ type: 'integer', default: 0 })
  accepted: number;

  @Column({ type: 'integer', default: 0 })
  refused: number;

  /** Lines whose account the submission had with the same content. */
  @Column({ type: 'integer', default: 0 })
  repeated: number;

  /** Lines whose account was imported before with the same content. */
  @Column({ type: 'integer', default: 0 })
  unchanged: number;

  /** Lines whose account was imported before and is corrected. */
  @Column({ type: 'integer', default: 0 })
  corrections: number;

  @TimestampNowColumn()
  startedAt: string;

  /** Time at which its last batch was stored. An upload without an end is over some time after it. */
  @TimestampNowColumn()
  renewedAt: string;

  @TimestampColumn({ nullable: true })
  endedAt: string | null;
}
