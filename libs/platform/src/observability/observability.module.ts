import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import { createLogger, Logger } from './logger';
import { DELAY_RESOLUTION_MS, Metrics } from './metrics';
import { MetricsAccess } from './metrics-access';
import { noTracing, Tracing } from './tracing';

/** Loads OpenTelemetry only where a collector is configured. */
async function tracingOf(config: Config): Promise<Tracing> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return noTracing;
  const { OtlpTracing } = await import('./otlp-tracing.js');
  return new OtlpTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.OTEL_TRACES_PERCENT);
}

/** Provides logger, metrics and tracing to every module. */
@Global()
@Module({
  providers: [
    { provide: Logger, inject: [CONFIG], useFactory: createLogger },
    { provide: Tracing, inject: [CONFIG], useFactory: tracingOf },
    Metrics,
    MetricsAccess,
  ],
  exports: [Logger, Metrics, MetricsAccess, Tracing],
})
export class ObservabilityModule {
  /** Measures the delay of the event loop at another interval than an API does. */
  static withDelayResolution(milliseconds: number): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [{ provide: DELAY_RESOLUTION_MS, useValue: milliseconds }],
    };
  }
}
