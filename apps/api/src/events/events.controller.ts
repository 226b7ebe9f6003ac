import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { EventsAnswer, exampleEvent, ReadEvents } from '@portage/events';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { compressText } from '../http/compression';
import { Endpoint } from '../http/endpoint';
import { Draining } from '../operations/draining';
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
    const wait = new AbortController();
    const end = () => {
      wait.abort();
    };
    // A client that has gone, or an instance that stops, ends the wait.
    reply.raw.once('close', end);
    const release = this.draining.endAtShutdown(end);
    try {
      const reading = {
        organisationId,
        supplierCode: supplier,
        after,
        types,
        limit,
        waitMs: waitSeconds * 1_000,
      };
      const answer = await this.events.read(reading, wait.signal);
      void reply.type('application/json; charset=utf-8');
      await reply.send(await compressText(JSON.stringify(answer), request, reply));
    } finally {
      release();
      reply.raw.off('close', end);
    }
  }
}
