import { Controller, Get, Header } from '@nestjs/common';
import { Metrics } from '@portage/observability';
import { QueueDepth } from '@portage/queues';
import { DescribeMetrics } from './operations.openapi';

/** The figures of this instance for Prometheus. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly depth: QueueDepth,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @DescribeMetrics()
  async read(): Promise<string> {
    await this.depth.observe();
    return this.metrics.registry.metrics();
  }
}
