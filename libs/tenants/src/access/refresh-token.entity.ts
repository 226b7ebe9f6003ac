import { ReadOnlyTimestampColumn, TimestampColumn } from '@portage/platform';
import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';

/** A refresh token. It is valid for one use; a second use revokes every token of its family. */
@Entity('refresh_token')
export class RefreshTokenEntity {
  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea' })
  hash: Buffer;

  /** Shared by all tokens that descend from one use of the API key. */
  @Index('refresh_token_family')
  @Column({ type: 'uuid' })
  family: string;

  @Column({ type: 'integer' })
  apiKeyId: number;

  @ManyToOne(() => ApiKeyEntity)
  apiKey?: ApiKeyEntity;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @Index('refresh_token_expiry')
  @TimestampColumn()
  expiresAt: string;

  @TimestampColumn({ nullable: true })
  usedAt: string | null;
}
