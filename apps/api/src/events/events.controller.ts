import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { type Caller, ReadEvents } from '@portage/importing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { compressText } from '../http/compression';
import { Draining } from '../operations/draining';
import { parseEventsQuery } from './events-query';
import { DescribeReadEvents } from './events.openapi';

/** The feed of events of a supplier. */
@Controller('v2/data-import/events')
export class EventsController {
  constructor(
    private readonly events: ReadEvents,
    private readonly draining: Draining,
  ) {}

  @Get()
  @DescribeReadEvents()
  async read(
    @CurrentCaller() { organisationId }: Caller,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const parsed = parseEventsQuery(query);
    const wait = new AbortController();
    const end = () => {
      wait.abort();
    };
    // A client that has gone, or an instance that stops, ends the wait.
    reply.raw.once('close', end);
    const release = this.draining.hold(end);
    try {
      const answer = await this.events.read({ ...parsed, organisationId }, wait.signal);
      void reply.type('application/json; charset=utf-8');
      await reply.send(await compressText(JSON.stringify(answer), request, reply));
    } finally {
      release();
      reply.raw.off('close', end);
    }
  }
}
