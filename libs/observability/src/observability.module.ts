import { Global, Module } from '@nestjs/common';
import { Logger } from './logger';
import { Metrics } from './metrics';
import { MetricsAccess } from './metrics-access';

@Global()
@Module({ providers: [Logger, Metrics, MetricsAccess], exports: [Logger, Metrics, MetricsAccess] })
export class ObservabilityModule {}
