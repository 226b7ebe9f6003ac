import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { ChangeFeed } from './change-feed';
import { ConnectionGauge } from './connection-gauge';
import { dataSourceOptions } from './data-source';
import { Database } from './database';
import { AccountErasureRepository } from './repositories/account-erasure.repository';
import { AccountImportRepository } from './repositories/account-import.repository';
import { AccountInspectionRepository } from './repositories/account-inspection.repository';
import { AccountLookupsRepository } from './repositories/account-lookups.repository';
import { AccountRequestRepository } from './repositories/account-request.repository';
import { ApiKeyRepository } from './repositories/api-key.repository';
import { AuditRepository } from './repositories/audit.repository';
import { DocumentRepository } from './repositories/document.repository';
import { HistoricalStatementRepository } from './repositories/historical-statement.repository';
import { IdempotencyKeyRepository } from './repositories/idempotency-key.repository';
import { ImportProcessCountRepository } from './repositories/import-process-count.repository';
import { ImportProcessInspectionRepository } from './repositories/import-process-inspection.repository';
import { SupplierReportRepository } from './repositories/supplier-report.repository';
import { ImportProcessReadingRepository } from './repositories/import-process-reading.repository';
import { ImportProcessSteeringRepository } from './repositories/import-process-steering.repository';
import { ImportProcessRepository } from './repositories/import-process.repository';
import { ImportSupplierRepository } from './repositories/import-supplier.repository';
import { ImportedAccountRepository } from './repositories/imported-account.repository';
import { NoteRepository } from './repositories/note.repository';
import { OperatorRulesRepository } from './repositories/operator-rules.repository';
import { OrganisationRepository } from './repositories/organisation.repository';
import { PayloadRetentionRepository } from './repositories/payload-retention.repository';
import { PaymentInstructionRepository } from './repositories/payment-instruction.repository';
import { RateLimitRepository } from './repositories/rate-limit.repository';
import { StatementPeriodRepository } from './repositories/statement-period.repository';
import { TransactionRepository } from './repositories/transaction.repository';
import { StaleImportRepository } from './repositories/stale-import.repository';
import { WelcomeEmailRepository } from './repositories/welcome-email.repository';

const providers = [
  Database,
  ChangeFeed,
  ConnectionGauge,
  OrganisationRepository,
  ApiKeyRepository,
  ImportSupplierRepository,
  ImportProcessRepository,
  ImportProcessReadingRepository,
  ImportProcessCountRepository,
  ImportProcessInspectionRepository,
  SupplierReportRepository,
  ImportProcessSteeringRepository,
  StaleImportRepository,
  AccountImportRepository,
  AccountInspectionRepository,
  AccountLookupsRepository,
  AccountRequestRepository,
  DocumentRepository,
  HistoricalStatementRepository,
  IdempotencyKeyRepository,
  ImportedAccountRepository,
  NoteRepository,
  PaymentInstructionRepository,
  RateLimitRepository,
  StatementPeriodRepository,
  TransactionRepository,
  WelcomeEmailRepository,
  AuditRepository,
  AccountErasureRepository,
  PayloadRetentionRepository,
  OperatorRulesRepository,
];

/** The connection pool of a process and the repositories on it. Never migrates: that is `npm run migrate`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [CONFIG, Logger],
          useFactory: (config: Config, logger: Logger) => ({
            ...dataSourceOptions(config, (error) => {
              logger.warning('A database connection was lost.', { error });
            }),
            retryAttempts: 5,
            retryDelay: 1_000,
          }),
        }),
      ],
      providers,
      exports: providers,
    };
  }
}
