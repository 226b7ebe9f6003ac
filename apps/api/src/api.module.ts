import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { OperatorsModule } from '@portage/operators';
import { type Config, ConfigModule, ObservabilityModule, PlatformModule } from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';
import { AccountCollector } from './accounts/account-collector';
import { AccountsController } from './accounts/accounts.controller';
import { DocumentsController } from './documents/documents.controller';
import { ErrorCodesController } from './error-codes/error-codes.controller';
import { EventsController } from './events/events.controller';
import { HistoricalStatementsController } from './historical-statements/historical-statements.controller';
import { RequestAdmission } from './http/admission/request-admission';
import { ErrorFilter } from './http/error-filter';
import { RequestHooks } from './http/request-hooks';
import { RequestObservation } from './http/request-observation';
import { ValidationPipe } from './http/validation-pipe';
import { AccountTransferStatusController } from './import-processes/account-transfer-status.controller';
import { ImportProcessListsController } from './import-processes/import-process-lists.controller';
import { NotesController } from './notes/notes.controller';
import { CountsFolder } from './import-processes/counts-folder';
import { Draining } from './health/draining';
import { HealthController } from './health/health.controller';
import { MetricsController } from './health/metrics.controller';
import { OPERATOR_CONTROLLERS } from './operator/operator-controllers';
import { OperatorAccess } from './operator/operator-access';
import { PaymentInstructionsController } from './payment-instructions/payment-instructions.controller';
import { StagingController } from './staging/staging.controller';
import { SubmissionsController } from './submissions/submissions.controller';
import { SubmissionResultsController } from './submissions/submission-results.controller';
import { SuppliersController } from './suppliers/suppliers.controller';
import { TransactionsController } from './transactions/transactions.controller';
import { WebhookEndpointsController } from './webhook-endpoints/webhook-endpoints.controller';

/** Composition root of the API: the use cases of all subjects behind HTTP. */
@Module({})
export class ApiModule {
  static with(config: Config): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        PlatformModule,
        TenantsModule,
        AccountsModule,
        ImportsModule,
        SubmissionsModule,
        EventsModule,
        OperatorsModule,
      ],
      controllers: [
        AccountsController,
        AccountTransferStatusController,
        ImportProcessListsController,
        NotesController,
        TransactionsController,
        PaymentInstructionsController,
        HistoricalStatementsController,
        StagingController,
        DocumentsController,
        SubmissionsController,
        SubmissionResultsController,
        EventsController,
        WebhookEndpointsController,
        SuppliersController,
        ErrorCodesController,
        HealthController,
        MetricsController,
        ...OPERATOR_CONTROLLERS,
      ],
      providers: [
        AccountCollector,
        RequestHooks,
        RequestObservation,
        RequestAdmission,
        CountsFolder,
        Draining,
        OperatorAccess,
        ErrorFilter,
        { provide: APP_FILTER, useExisting: ErrorFilter },
        { provide: APP_PIPE, useClass: ValidationPipe },
      ],
    };
  }
}
