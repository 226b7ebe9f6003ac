import type { WorkerHost } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { OperatorsModule } from '@portage/operators';
import { type Config, ConfigModule, ObservabilityModule, PlatformModule } from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';
import { ConsumerLiveness } from './health/consumer-liveness';
import { Heartbeat } from './health/heartbeat';
import { HealthController } from './health/health.controller';
import { MetricsController } from './health/metrics.controller';
import { AccountImportsProcessor } from './processors/account-imports.processor';
import { AdditionsProcessor } from './processors/additions.processor';
import { DocumentsProcessor } from './processors/documents.processor';
import { EmailsProcessor } from './processors/emails.processor';
import { JobMonitor } from './processors/job-monitor';
import { MaintenanceProcessor } from './processors/maintenance.processor';
import { PaymentInstructionsProcessor } from './processors/payment-instructions.processor';
import { PROCESSORS, QueueConsumers } from './processors/queue-consumers';
import { TransactionsProcessor } from './processors/transactions.processor';
import { Sweeper } from './sweeper';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher';

/** One processor for each queue. */
const processors = [
  AccountImportsProcessor,
  TransactionsProcessor,
  PaymentInstructionsProcessor,
  AdditionsProcessor,
  DocumentsProcessor,
  EmailsProcessor,
  MaintenanceProcessor,
];

/**
 * Interval at which a worker measures the delay of its event loop. No client waits for a block of a few milliseconds
 * there, and an idle worker would be woken a hundred times a second by the interval of the API.
 */
const DELAY_RESOLUTION_MS = 100;

/** Composition root of the worker: the use cases of all subjects behind queues. It is the API without HTTP. */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule.withDelayResolution(DELAY_RESOLUTION_MS),
        PlatformModule,
        TenantsModule,
        AccountsModule,
        ImportsModule,
        SubmissionsModule,
        EventsModule,
        OperatorsModule,
      ],
      controllers: [HealthController, MetricsController],
      providers: [
        ...processors,
        {
          provide: PROCESSORS,
          inject: processors,
          useFactory: (...hosts: WorkerHost[]): WorkerHost[] => hosts,
        },
        JobMonitor,
        QueueConsumers,
        ConsumerLiveness,
        Heartbeat,
        Sweeper,
        WebhookDispatcher,
      ],
    };
  }
}
