import { Controller, Get, Headers, Res } from '@nestjs/common';
import { PaymentVendors } from '@portage/accounts';
import { Metrics, MetricsAccess } from '@portage/platform';
import type { FastifyReply } from 'fastify';

/** Serves Prometheus metrics of this worker. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
    private readonly vendors: PaymentVendors,
  ) {}

  @Get()
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | object> {
    if (this.access.isOff) {
      void reply.status(404);
      return { code: 'not_found', detail: 'The metrics are off: METRICS_TOKEN is not set.' };
    }
    if (!this.access.isGranted(authorization)) {
      void reply.status(401).header('WWW-Authenticate', 'Bearer');
      return { code: 'not_authenticated', detail: 'Send the header: Authorization: Bearer <METRICS_TOKEN>.' };
    }
    void reply.type('text/plain; version=0.0.4; charset=utf-8');
    this.vendors.observeBreakers();
    return this.metrics.registry.metrics();
  }
}
