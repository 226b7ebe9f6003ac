import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FeedEvent } from './feed-event';

/** Events of a feed, and where to read on. */
@ApiSchema({ name: 'EventPage' })
export class EventsAnswer {
  @ApiProperty({ type: 'array', items: { $ref: '#/components/schemas/Event' } })
  events: FeedEvent[];

  @ApiProperty({
    description:
      'Pass it as `after` to read on: nothing is added before it any more. It does not expire; its content can change.',
  })
  next: string;
}
