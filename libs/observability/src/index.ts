export { describeError } from './describe-error';
export { Logger, type LogFields } from './logger';
export { Metrics } from './metrics';
export { ObservabilityModule } from './observability.module';
