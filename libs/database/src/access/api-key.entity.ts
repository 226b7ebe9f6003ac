import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn, TimestampColumn } from '../schema/timestamp-column';

/** A key with which an organisation obtains tokens. Only its hash is kept. */
@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ name: 'organisation_id', type: 'int' })
  organisationId: number;

  /** The part of the key that may be shown. */
  @Column({ type: 'text' })
  prefix: string;

  /** SHA-256 of the whole key. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  @CreatedAtColumn()
  createdAt: string;

  @TimestampColumn('revoked_at', { nullable: true })
  revokedAt: string | null;
}
