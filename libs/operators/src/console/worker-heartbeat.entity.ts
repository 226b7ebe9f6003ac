import { TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A worker process, with what it has reported last. */
@Entity('worker_heartbeat')
export class WorkerHeartbeatEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  host: string;

  @Column({ type: 'text' })
  release: string;

  @TimestampColumn()
  startedAt: string;

  @TimestampNowColumn()
  seenAt: string;

  @Column({ type: 'jsonb' })
  report: unknown;
}
