import type { ImportProcessStatus, LatestEvent } from '@portage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn, TimestampColumn } from '../schema/timestamp-column';

/**
 * The import of one account (contract 2.10): narrow and often updated; its payload and events have tables of their
 * own. `version` counts what was scheduled, `attempt` the starts of one version; together they fence off a worker
 * that comes late.
 */
@Entity('import_process')
export class ImportProcessEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'supplier_id', type: 'int' })
  supplierId: number;

  @Column({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @Column({ name: 'external_identifier', type: 'text' })
  externalIdentifier: string;

  @Column({ type: 'text' })
  status: ImportProcessStatus;

  @Column({ type: 'int' })
  version: number;

  @Column({ type: 'int' })
  attempt: number;

  /** The supplier asked for a dry run only. */
  @Column({ name: 'is_dry_run', type: 'boolean' })
  isDryRun: boolean;

  /** An operator has released it: its dry run is behind it. */
  @Column({ name: 'is_released', type: 'boolean' })
  isReleased: boolean;

  /** SHA-256 of what was scheduled, to tell a repeated request from a changed one. */
  @Column({ name: 'payload_hash', type: 'bytea' })
  payloadHash: Buffer;

  @TimestampColumn('schedule_window_start', { nullable: true })
  scheduleWindowStart: string | null;

  @TimestampColumn('schedule_window_end', { nullable: true })
  scheduleWindowEnd: string | null;

  @Column({ name: 'account_number', type: 'text', nullable: true })
  accountNumber: string | null;

  @TimestampColumn('account_created_at', { nullable: true })
  accountCreatedAt: string | null;

  @Column({ name: 'latest_event', type: 'text' })
  latestEvent: LatestEvent;

  @TimestampColumn('latest_event_at')
  latestEventAt: string;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ name: 'error_detail', type: 'text', nullable: true })
  errorDetail: string | null;

  /** When its job was last put into the queue, or should have been. */
  @TimestampColumn('enqueued_at')
  enqueuedAt: string;

  @CreatedAtColumn()
  createdAt: string;

  @TimestampColumn('modified_at')
  modifiedAt: string;
}
