import { IdColumn, TimestampColumn } from '@portage/platform';
import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { OperatorEntity } from './operator.entity';

/** A session of an operator. Only the digest of its token is stored. */
@Entity('operator_session')
@Index('operator_session_operator', ['operatorId', 'id'])
export class OperatorSessionEntity {
  @IdColumn('bigint')
  id: string;

  /** SHA-256 of the token in the cookie. */
  @Column({ type: 'bytea', unique: true })
  tokenDigest: Buffer;

  @Column({ type: 'integer' })
  operatorId: number;

  @ManyToOne(() => OperatorEntity)
  operator?: OperatorEntity;

  @TimestampColumn()
  createdAt: string;

  /** Written once a minute at most. */
  @TimestampColumn()
  lastUsedAt: string;

  @Index('operator_session_expiry')
  @TimestampColumn()
  expiresAt: string;
}
