import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** One of the operator's lists (products, teams, ledger types ...), as it was imported. */
@Entity('reference_data')
export class ReferenceDataEntity {
  @PrimaryColumn({ type: 'text' })
  list: string;

  @Column({ type: 'json' })
  entries: unknown;

  @TimestampColumn('imported_at')
  importedAt: string;
}
