import { TimestampNowColumn } from '@portage/platform';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One of the operator's lists (products, teams, ledger types ...), as it was imported. */
@Entity('reference_data')
export class ReferenceDataEntity {
  @PrimaryColumn({ type: 'text' })
  list: string;

  /** json, not jsonb: exported as it was imported. */
  @Column({ type: 'json' })
  entries: unknown;

  @TimestampNowColumn()
  importedAt: string;
}
