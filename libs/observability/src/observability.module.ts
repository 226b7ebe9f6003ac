import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from './logger';
import { Metrics } from './metrics';
import { MetricsAccess } from './metrics-access';
import { noTracing, Tracing } from './tracing';

/** OpenTelemetry is loaded by those only who send traces somewhere. */
async function tracingOf(config: Config): Promise<Tracing> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return noTracing;
  const { OtlpTracing } = await import('./otlp-tracing.js');
  return new OtlpTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.OTEL_TRACES_PERCENT);
}

const providers = [Logger, Metrics, MetricsAccess];

@Global()
@Module({
  providers: [...providers, { provide: Tracing, inject: [CONFIG], useFactory: tracingOf }],
  exports: [...providers, Tracing],
})
export class ObservabilityModule {}
