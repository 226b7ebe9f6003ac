import { IdColumn, TimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import type { ImportProcessStatus } from '../processes/status';

/**
 * What is counted: processes by their status, of which STAGED ones wait for a request to process them and are not counted
 * as PENDING; processes with warnings; accounts whose documents and e-mail have come to their end; and lines of submissions, with a process, refused,
 * or taken over by another submission; additions of submissions by their state.
 */
export type ImportCountKind =
  | ImportProcessStatus
  | 'STAGED'
  | 'WARNED'
  | 'FOLLOWED_UP'
  | 'LINE'
  | 'LINE_REFUSED'
  | 'LINE_TAKEN_OVER'
  | 'LINE_UNCHANGED'
  | 'LINE_CORRECTION'
  | 'CORRECTION_PENDING'
  | 'CORRECTION_SUCCEEDED'
  | 'CORRECTION_REHEARSED'
  | 'CORRECTION_ERRORED'
  | 'CORRECTION_CANCELLED'
  | `ADDITION_${ImportProcessStatus | 'UNCHANGED' | 'REFUSED'}`;

/**
 * A count of a supplier or of one of its submissions (ADR 0222). It lacks what {@link ImportCountChangeEntity} has: only
 * the sum of both is the count.
 */
@Entity('import_count')
export class ImportCountEntity {
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  /** 0 for the sums of the supplier. */
  @PrimaryColumn({ type: 'bigint' })
  submissionId: string;

  @PrimaryColumn({ type: 'text' })
  kind: ImportCountKind;

  /** Of a refused line, the code of its first error. Empty for everything but errors, and in the counts of submissions. */
  @PrimaryColumn({ type: 'text' })
  errorCode: string;

  @Column({ type: 'bigint' })
  count: string;
}

/**
 * What one statement has changed in a count. Triggers write it, in the transaction of the statement, so no writer can
 * forget it and transactions do not wait for each other. No foreign keys: the statement refers to the same rows.
 */
@Entity('import_count_change')
export class ImportCountChangeEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'integer' })
  supplierId: number;

  /** 0 for accounts of no submission. */
  @Column({ type: 'bigint' })
  submissionId: string;

  @Column({ type: 'text' })
  kind: ImportCountKind;

  @Column({ type: 'text', default: '' })
  errorCode: string;

  @Column({ type: 'bigint' })
  count: string;

  /** The sum for accounts that were created, in the row that subtracts them from those that wait. */
  @Column({ type: 'double precision', nullable: true })
  waitedMs: number | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  changedAt: string;
}
