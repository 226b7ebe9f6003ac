export { Logger } from './logger';
export { Metrics } from './metrics';
export { MetricsAccess } from './metrics-access';
export { noTracing, type OpenSpan, type SpanOptions, Tracing } from './tracing';
export { ObservabilityModule } from './observability.module';
export { JobCorrelation, type RequestTrail } from './job-correlation';
