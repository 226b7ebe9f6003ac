import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { EventsAnswer, exampleEvent, ReadEvents } from '@portage/events';
import { Logger } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { JSON_TYPE, sendStreamed } from '../http/streamed-answer';
import { Draining } from '../health/draining';
import { EventsQuery } from './events.dto';
import { EXAMPLE_CURSOR } from './events.examples';

/** The feed of events of a supplier. */
@ApiTags('Events')
@ApiSecurity('token')
@Controller('v2/data-import/events')
export class EventsController {
  constructor(
    private readonly events: ReadEvents,
    private readonly draining: Draining,
    private readonly logger: Logger,
  ) {}

  @Get()
  @Endpoint({
    id: 'readEvents',
    summary: 'Read the events of a supplier, and wait for them',
    description:
      'What happened to the accounts and submissions of a supplier. A reader that passes `next` of each answer as `after` of its next request misses no event and reads none twice. An answer without events does not mean that there will be none: read on from `next`. The feed is not ordered by `timestamp`.',
    errors: ['validation_error'],
    notFound: 'There is no such import supplier.',
    kind: 'events',
  })
  @ApiOkResponse({
    description: 'The next events, in the order of the feed.',
    type: EventsAnswer,
    example: {
      events: [
        exampleEvent('data_import.import_process.complete-v1'),
        exampleEvent('data_import.import_process.error-v1'),
        exampleEvent('data_import.submission.finished-v1'),
      ],
      next: EXAMPLE_CURSOR,
    },
  })
  async read(
    @CurrentCaller() { organisationId }: Caller,
    @Query() { supplier, after, types, limit, wait: waitSeconds }: EventsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stopping = new AbortController();
    const release = this.draining.endAtShutdown(() => {
      stopping.abort();
    });
    const reading = {
      organisationId,
      supplierCode: supplier,
      after,
      types,
      limit,
      waitMs: waitSeconds * 1_000,
    };
    const { events } = this;
    const read = async function* (gone: AbortSignal) {
      yield JSON.stringify(await events.read(reading, stopping.signal, gone));
    };
    try {
      await sendStreamed({ type: JSON_TYPE, isOneChunk: true, read }, request, reply, this.logger);
    } finally {
      release();
    }
  }
}
