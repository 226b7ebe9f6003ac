import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/schema/columns';

/** Uses of one rate limit within its current window, counted by all instances of the API together. */
@Entity('rate_limit')
export class RateLimitEntity {
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'integer' })
  count: number;

  /** End of the window. */
  @Index('rate_limit_until')
  @TimestampColumn()
  until: string;
}
