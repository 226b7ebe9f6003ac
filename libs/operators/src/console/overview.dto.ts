import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { SubmissionSummaryView } from './submissions.dto';
import { SupplierSummaryView } from './suppliers.dto';

/** The state of something that the service depends on. */
@ApiSchema({ name: 'Component' })
export class ComponentView {
  @ApiProperty({ type: String, enum: ['ok', 'down'] })
  status: 'ok' | 'down';

  @ApiProperty({ nullable: true, type: String, description: 'Why it is down, or what limits it.' })
  detail: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was asked: up to ten seconds ago.' })
  checked_at: string;
}

/** The circuit breaker of a vendor. */
@ApiSchema({ name: 'VendorBreaker' })
export class VendorBreakerView {
  @ApiProperty()
  name: string;

  @ApiProperty({
    type: String,
    enum: ['closed', 'open', 'half-open', 'not_configured', 'unknown'],
    description:
      'The worst state among the workers that are alive. `not_configured`: no worker has a key. `unknown`: no worker has reported.',
  })
  breaker: 'closed' | 'open' | 'half-open' | 'not_configured' | 'unknown';

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'Since when the breaker is not closed.',
  })
  since: string | null;
}

/** A worker, and when it has reported. */
@ApiSchema({ name: 'WorkerSeen' })
export class WorkerSeenView {
  @ApiProperty()
  id: string;

  @ApiProperty({ format: 'date-time' })
  last_seen_at: string;
}

/** The workers that have reported. */
export class WorkersSeen {
  @ApiProperty({ type: 'integer', description: 'Workers that have reported within the last 45 seconds.' })
  alive: number;

  @ApiProperty({ type: [WorkerSeenView] })
  seen: WorkerSeenView[];
}

/** The state of everything that the service depends on. */
@ApiSchema({ name: 'Health' })
export class HealthView {
  @ApiProperty()
  database: ComponentView;

  @ApiProperty()
  queues: ComponentView;

  @ApiProperty()
  document_store: ComponentView;

  @ApiProperty({ type: [VendorBreakerView] })
  vendors: VendorBreakerView[];

  @ApiProperty()
  workers: WorkersSeen;
}

/** All suppliers at a glance. */
@ApiSchema({ name: 'Overview' })
export class OverviewView {
  @ApiProperty({ format: 'date-time' })
  generated_at: string;

  @ApiProperty({
    type: [SupplierSummaryView],
    description: 'At most 200, by code; GET /suppliers has all of them.',
  })
  suppliers: SupplierSummaryView[];

  @ApiProperty({ type: [SubmissionSummaryView], description: 'At most 50, the newest first.' })
  submissions_in_progress: SubmissionSummaryView[];

  @ApiProperty()
  health: HealthView;
}
