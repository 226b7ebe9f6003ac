import { TimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ImportProcessStatus } from './status';

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
