import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The outcomes of one minute. */
@ApiSchema({ name: 'VendorMinute' })
export class VendorMinuteView {
  @ApiProperty({ format: 'date-time', description: 'The beginning of the minute.' })
  at: string;

  @ApiProperty({ type: 'integer' })
  verified: number;

  @ApiProperty({ type: 'integer' })
  refused: number;

  @ApiProperty({ type: 'integer' })
  unavailable: number;
}

/** The breaker of a vendor in one worker. */
export class BreakerOfWorker {
  @ApiProperty()
  id: string;

  @ApiProperty({ type: String, enum: ['closed', 'open', 'half-open'] })
  breaker: 'closed' | 'open' | 'half-open';

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  since: string | null;
}

/** A vendor, as the workers that are alive see it. */
@ApiSchema({ name: 'Vendor' })
export class VendorView {
  @ApiProperty()
  name: string;

  @ApiProperty({ type: String, enum: ['closed', 'open', 'half-open', 'not_configured', 'unknown'] })
  breaker: 'closed' | 'open' | 'half-open' | 'not_configured' | 'unknown';

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  since: string | null;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description:
      'The oldest of the reports that these figures are from. Each worker reports every 15 seconds.',
  })
  reported_at: string | null;

  @ApiProperty({
    type: [BreakerOfWorker],
    description: 'The breaker of each worker that is alive: breakers are not shared.',
  })
  workers: BreakerOfWorker[];

  @ApiProperty({
    type: [VendorMinuteView],
    description:
      'Outcomes of the last 60 minutes, without minutes that have none, the oldest first. A worker that stopped takes its minutes with it.',
  })
  outcomes: VendorMinuteView[];
}
