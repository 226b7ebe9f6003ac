import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { SignedInOperator } from '@portage/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentOperator } from '../current-operator';
import { OperatorEndpoint } from '../operator-endpoint';
import { LiveStreams } from './live-streams';
import { LiveEvent, LiveQuery } from './live.dto';
import { exampleLiveEvent } from './live.examples';

/** Changes as server-sent events. */
@ApiTags('Live')
@Controller('operator/v1')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Get('live')
  @OperatorEndpoint({
    id: 'followLive',
    role: 'viewer',
    summary: 'Follow changes as server-sent events',
    description:
      'Every one and a half seconds an event for each topic whose content has changed: `overview` with an Overview, `supplier:<code>` with a SupplierDetail, `submission:<id>` with a SubmissionDetail, as JSON in `data`. Comments every 15 seconds keep the connection open. Before the stream ends it sends `end` with the reason: `session_ended` (sign in), `stopping` (connect again), `too_slow` (connect again). At most 50 streams an instance and 5 an operator: 429 otherwise.',
    errors: ['validation_error', 'throttled'],
    notFound: 'There is no such import supplier or submission.',
  })
  @ApiExtraModels(LiveEvent)
  @ApiOkResponse({
    description: 'The stream: one such event after the other.',
    content: {
      'text/event-stream': { schema: { $ref: getSchemaPath(LiveEvent) }, example: exampleLiveEvent },
    },
  })
  async follow(
    @CurrentOperator() operator: SignedInOperator,
    @Query() { topics = ['overview'] }: LiveQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const begin = () => {
      reply.hijack();
      const headers = reply.getHeaders() as Record<string, string>;
      reply.raw.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Proxies such as nginx would collect the events.
        'X-Accel-Buffering': 'no',
      });
      reply.raw.flushHeaders();
    };
    await this.streams.follow(operator, topics, request, reply.raw, begin);
  }
}
