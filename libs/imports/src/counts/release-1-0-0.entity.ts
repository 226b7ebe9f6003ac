import { TimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ImportProcessStatus } from '../processes/status';

// Only release 1.0.0 reads and writes these tables, while it runs beside this release. A migration of the next release drops
// them, and this file goes with them.

/** The number of a supplier's processes with a status. Counted once for all instances, for the metrics. */
@Entity('import_process_count', {
  comment: 'Counted once a minute: what instances are asked for must not cost them a scan.',
})
export class ImportProcessCountEntity {
  @ForeignKey(() => ImportSupplierEntity)
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @PrimaryColumn({ type: 'text' })
  status: ImportProcessStatus;

  @Column({ type: 'bigint' })
  count: string;

  /** The number of these processes that are stuck: their job is overdue. */
  @Column({ type: 'bigint' })
  stuck: string;

  @TimestampColumn()
  countedAt: string;
}

/** What happened to the accounts of a supplier within a minute. Added up by the maintenance, and kept for a week. */
@Entity('import_process_minute')
export class ImportProcessMinuteEntity {
  @ForeignKey(() => ImportSupplierEntity)
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @PrimaryColumn({ type: 'timestamptz' })
  minute: string;

  /** Accounts that were received for the first time. */
  @Column({ type: 'integer', default: 0 })
  accepted: number;

  @Column({ type: 'integer', default: 0 })
  processed: number;

  /** Ends with an error, of imports and dry runs. */
  @Column({ type: 'integer', default: 0 })
  errored: number;

  @Column({ type: 'integer', default: 0 })
  cancelled: number;

  /** Sum over a sample of the processed accounts: from the acceptance of the version to its end. */
  @Column({ type: 'double precision', default: 0 })
  latencyMs: number;

  /** Size of the sample. */
  @Column({ type: 'integer', default: 0 })
  latencyCount: number;
}

/** How far the minutes of a supplier are added up. Its row is the lock of the rollup. */
@Entity('import_process_rollup')
export class ImportProcessRollupEntity {
  @ForeignKey(() => ImportSupplierEntity)
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  /** Position in the feed: events up to this transaction are in the minutes. */
  @Column({ type: 'bigint', default: 0 })
  transactionId: string;

  /** Processes at the last rollup; null before the first one of a supplier that is older than this table. */
  @Column({ type: 'bigint', nullable: true })
  total: string | null;

  /** PENDING processes that wait for a request to process them. */
  @Column({ type: 'bigint', default: 0 })
  staged: string;

  /** Accounts whose documents and e-mail have come to their end. */
  @Column({ type: 'bigint', default: 0 })
  followedUp: string;
}

/** The number of a supplier's processes with an error code, counted each minute. */
@Entity('import_process_error_count')
export class ImportProcessErrorCountEntity {
  @ForeignKey(() => ImportSupplierEntity)
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @PrimaryColumn({ type: 'text' })
  errorCode: string;

  @Column({ type: 'bigint' })
  count: string;

  /** An example. No foreign key: the count is renewed each minute. */
  @Column({ type: 'bigint' })
  latestProcessId: string;

  @TimestampColumn()
  countedAt: string;
}
