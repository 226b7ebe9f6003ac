import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, ConfigModule } from '@portage/config';
import { DatabaseModule } from '@portage/database';
import { ImportingModule } from '@portage/importing';
import { ObservabilityModule } from '@portage/observability';
import { QueuesModule } from '@portage/queues';
import { ConsumerLiveness } from './operations/consumer-liveness';
import { HealthController } from './operations/health.controller';
import { MetricsController } from './operations/metrics.controller';
import { AccountImportsProcessor } from './processors/account-imports.processor';
import { DocumentsProcessor } from './processors/documents.processor';
import { EmailsProcessor } from './processors/emails.processor';
import { JobWatch } from './processors/job-watch';
import { MaintenanceProcessor } from './processors/maintenance.processor';
import { PaymentInstructionsProcessor } from './processors/payment-instructions.processor';
import { QueueConsumers } from './processors/queue-consumers';
import { TransactionsProcessor } from './processors/transactions.processor';
import { Sweeper } from './sweeper';

/** The worker is the use cases of libs/importing with queues in front of them: the API without its HTTP. */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        DatabaseModule,
        QueuesModule,
        ImportingModule,
      ],
      controllers: [HealthController, MetricsController],
      providers: [
        AccountImportsProcessor,
        TransactionsProcessor,
        PaymentInstructionsProcessor,
        DocumentsProcessor,
        EmailsProcessor,
        MaintenanceProcessor,
        JobWatch,
        QueueConsumers,
        ConsumerLiveness,
        Sweeper,
      ],
    };
  }
}
