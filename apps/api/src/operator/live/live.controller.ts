import { Controller, Get, Query, Res } from '@nestjs/common';
import { invalidParameter, type SignedInOperator } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentOperator } from '../current-operator';
import { LiveStreams } from './live-streams';
import { DescribeLive, MAX_TOPICS } from './live.openapi';

const TOPIC = /^(overview|supplier:.{1,128}|submission:\d{1,18})$/u;

/** Changes as server-sent events. */
@Controller('operator/v1')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Get('live')
  @DescribeLive()
  async follow(
    @CurrentOperator() operator: SignedInOperator,
    @Query('topics') topics: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const contents = await this.streams.prepare(operator, readTopics(topics));
    // The client has gone while the contents were read.
    if (reply.raw.destroyed) return;
    reply.hijack();
    const headers = reply.getHeaders() as Record<string, string>;
    reply.raw.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would collect the events.
      'X-Accel-Buffering': 'no',
    });
    this.streams.open(operator, contents, reply.raw);
  }
}

/** @throws PortageError `validation_error` */
function readTopics(topics: unknown): string[] {
  if (topics === undefined) return ['overview'];
  const names = typeof topics === 'string' ? [...new Set(topics.split(','))] : [];
  if (names.length > 0 && names.length <= MAX_TOPICS && names.every((name) => TOPIC.test(name))) return names;
  throw invalidParameter(
    'topics',
    `Enter 1 to ${MAX_TOPICS} topics, separated by commas: overview, supplier:<code>, submission:<id>.`,
  );
}
