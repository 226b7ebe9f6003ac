import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { QUEUE_NAMES, type QueueName } from '@portage/platform';

/** A queue and how much waits in it. */
@ApiSchema({ name: 'Queue' })
export class QueueView {
  @ApiProperty({ enum: QUEUE_NAMES })
  name: QueueName;

  @ApiProperty({ type: String, enum: ['redis', 'postgres'] })
  backend: 'redis' | 'postgres';

  @ApiProperty({ type: 'integer', description: 'Jobs. A job of `account-imports` has up to 64 accounts.' })
  waiting: number;

  @ApiProperty({
    nullable: true,
    type: Number,
    description:
      'Accounts that wait: for a worker, for their schedule window, or for a paused supplier. Null for queues other than `account-imports`.',
  })
  waiting_accounts: number | null;

  @ApiProperty({ type: 'integer' })
  active: number;

  @ApiProperty({ type: 'integer' })
  delayed: number;

  @ApiProperty({ type: 'integer' })
  prioritized: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Finished jobs that are still kept.' })
  completed: number;

  @ApiProperty()
  paused: boolean;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'When the job became due that waits longest among the next ones. Null while none is due.',
  })
  oldest_waiting_at: string | null;

  @ApiProperty({ description: 'Jobs that were completed in a second, over the last ten; 0 if none was.' })
  rate_per_second: number;

  @ApiProperty({
    type: 'integer',
    description: 'Retries within the last hour, as the workers that are alive report them.',
  })
  retries: number;

  @ApiProperty({ description: 'The queue in Bull Board, on this host.' })
  board_url: string;
}

/** What a worker does with one queue. */
@ApiSchema({ name: 'WorkerConsumption' })
export class WorkerConsumptionView {
  @ApiProperty()
  queue: string;

  @ApiProperty({ type: 'integer' })
  active: number;

  @ApiProperty()
  is_consuming: boolean;

  @ApiProperty({ type: 'integer', description: 'Within the last hour.' })
  retries: number;
}

/** A worker and its queues. */
@ApiSchema({ name: 'Worker' })
export class WorkerView {
  @ApiProperty()
  id: string;

  @ApiProperty()
  host: string;

  @ApiProperty()
  release: string;

  @ApiProperty({ format: 'date-time' })
  started_at: string;

  @ApiProperty({ format: 'date-time' })
  last_seen_at: string;

  @ApiProperty({ description: 'True if it has reported within the last 45 seconds.' })
  is_alive: boolean;

  @ApiProperty({ type: [WorkerConsumptionView] })
  queues: WorkerConsumptionView[];
}
