import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { ConnectionGauge } from '@portage/database';
import { PortageError } from '@portage/domain';
import { EventFeedHold, ImportProcessCounts, ObserveWebhooks } from '@portage/importing';
import { Metrics, MetricsAccess } from '@portage/observability';
import { QueueDepth } from '@portage/queues';
import type { FastifyReply } from 'fastify';
import { DescribeMetrics } from './operations.openapi';

/** Serves Prometheus metrics of this instance, and of the queues and import processes of the whole installation. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
    private readonly depth: QueueDepth,
    private readonly counts: ImportProcessCounts,
    private readonly webhooks: ObserveWebhooks,
    private readonly connections: ConnectionGauge,
    private readonly hold: EventFeedHold,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @DescribeMetrics()
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
    const { depth, counts, hold, webhooks } = this;
    await Promise.all([depth, counts, hold, webhooks].map(async (one) => one.observe()));
    this.connections.observe();
    return this.metrics.registry.metrics();
  }
}
