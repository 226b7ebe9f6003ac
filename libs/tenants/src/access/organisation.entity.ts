import { IdColumn, ReadOnlyTimestampColumn } from '@portage/platform';
import { Check, Column, Entity } from 'typeorm';

/** A company that migrates accounts. It owns API keys and suppliers and sees only its own. */
@Entity('organisation')
@Check('organisation_name_check', 'length(name) BETWEEN 1 AND 128')
export class OrganisationEntity {
  @IdColumn('integer')
  id: number;

  @Column({ type: 'text', unique: true })
  name: string;

  @ReadOnlyTimestampColumn()
  createdAt: string;
}
