import { Controller, Get, Header } from '@nestjs/common';
import { Metrics } from '@portage/observability';

/** The figures of this worker for Prometheus. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
