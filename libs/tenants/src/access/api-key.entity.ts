import { IdColumn, ReadOnlyTimestampColumn, TimestampColumn } from '@portage/platform';
import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { OrganisationEntity } from './organisation.entity';

/** A key with which an organisation obtains tokens. Only its hash is stored. */
@Entity('api_key')
export class ApiKeyEntity {
  @IdColumn('integer')
  id: number;

  @Index('api_key_organisation')
  @Column({ type: 'integer' })
  organisationId: number;

  @ManyToOne(() => OrganisationEntity)
  organisation?: OrganisationEntity;

  /** The public part of the key, which identifies it. */
  @Column({ type: 'text', unique: true })
  prefix: string;

  /** SHA-256 of the whole key. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @TimestampColumn({ nullable: true })
  revokedAt: string | null;
}
