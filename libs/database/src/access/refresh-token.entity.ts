import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, TimestampColumn } from '../schema/timestamp-column';

/** A refresh token. It is used once; using it again revokes every token of its family. */
@Entity('refresh_token')
export class RefreshTokenEntity {
  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea' })
  hash: Buffer;

  /** All tokens that descend from one use of the API key. */
  @Column({ type: 'uuid' })
  family: string;

  @Column({ name: 'api_key_id', type: 'int' })
  apiKeyId: number;

  @CreatedAtColumn()
  createdAt: string;

  @TimestampColumn('expires_at')
  expiresAt: string;

  @TimestampColumn('used_at', { nullable: true })
  usedAt: string | null;
}
