export { describeError } from './describe-error';
export { Logger, type LogFields } from './logger';
export { Metrics } from './metrics';
export { MetricsAccess } from './metrics-access';
export { ObservabilityModule } from './observability.module';
export { RequestTrail } from './request-trail';
