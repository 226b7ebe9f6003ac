import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';

/** The accounts of a supplier and a submission that came to their end within a second. Kept for some minutes. */
@Entity('import_throughput_second')
export class ImportThroughputSecondEntity {
  @PrimaryColumn({ type: 'timestamptz' })
  at: string;

  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  /** 0 for accounts of no submission. */
  @PrimaryColumn({ type: 'bigint' })
  submissionId: string;

  @Column({ type: 'bigint' })
  processed: string;

  /** Imports and dry runs, with an error or without. */
  @Column({ type: 'bigint' })
  ended: string;
}

/** What happened to the accounts of a supplier within a minute. Kept for a week. */
@Entity('import_throughput_minute')
export class ImportThroughputMinuteEntity {
  @PrimaryColumn({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @PrimaryColumn({ type: 'timestamptz' })
  at: string;

  /** Accounts that were received for the first time. */
  @Column({ type: 'bigint' })
  accepted: string;

  @Column({ type: 'bigint' })
  processed: string;

  /** Ends with an error, of imports and dry runs. */
  @Column({ type: 'bigint' })
  errored: string;

  @Column({ type: 'bigint' })
  cancelled: string;

  /** Sum over the processed accounts: from the acceptance of the version to its end. */
  @Column({ type: 'double precision' })
  latencyMs: number;

  @Column({ type: 'bigint' })
  latencyCount: string;
}
