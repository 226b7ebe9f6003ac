import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { EventFeedHold, ObserveWebhooks } from '@portage/events';
import { ImportProcessCounts } from '@portage/imports';
import { ObserveAttention } from '@portage/operators';
import { Metrics, MetricsAccess, PortageError, QueueDepth } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { Endpoint } from '../http/endpoint';
import { AnswersError } from '../openapi/errors.dto';

/** Serves Prometheus metrics of this instance, and of the queues and import processes of the whole installation. */
@ApiTags('Operations')
@ApiSecurity('metrics')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
    private readonly depth: QueueDepth,
    private readonly counts: ImportProcessCounts,
    private readonly webhooks: ObserveWebhooks,
    private readonly hold: EventFeedHold,
    private readonly attention: ObserveAttention,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Endpoint({
    id: 'readMetrics',
    summary: 'Metrics for Prometheus',
    description:
      'Metrics of this instance, and of the queues and import processes of the whole installation.',
    errors: ['not_authenticated', 'throttled'],
    notFound: 'Metrics are off, because METRICS_TOKEN is not set.',
  })
  @ApiOkResponse({
    description: 'Prometheus text format.',
    content: { 'text/plain': { schema: { type: 'string' }, example: 'portage_requests_total 12' } },
  })
  @AnswersError(401, 'The token is missing or wrong.')
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (this.access.isOff)
      throw new PortageError('not_found', 'The metrics are off: METRICS_TOKEN is not set.');
    if (!this.access.isGranted(authorization)) {
      void reply.header('WWW-Authenticate', 'Bearer');
      throw new PortageError('not_authenticated', 'Send the header: Authorization: Bearer <METRICS_TOKEN>.');
    }
    const { depth, counts, hold, webhooks, attention } = this;
    await Promise.all([depth, counts, hold, webhooks, attention].map(async (one) => one.observe()));
    return this.metrics.registry.metrics();
  }
}
