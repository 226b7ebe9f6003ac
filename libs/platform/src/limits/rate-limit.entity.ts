import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Uses of one rate limit within its current window, counted by all instances of the API together (rate-limiter-flexible). */
@Entity('rate_limit')
export class RateLimitEntity {
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'integer' })
  points: number;

  /** End of the window, in milliseconds since 1970. */
  @Index('rate_limit_expire')
  @Column({ type: 'bigint', nullable: true })
  expire: string | null;
}
