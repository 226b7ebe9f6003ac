import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '@portage/accounts';
import { PlatformModule } from '@portage/platform';
import { TenantsModule } from '@portage/tenants';
import { AcceptAccounts } from './accounts/accept-accounts';
import { AccountImportRepository } from './accounts/account-import.repository';
import { AccountRemovalRepository } from './accounts/account-removal.repository';
import { AccountNumbers } from './accounts/account-numbers';
import { AccountValidation } from './accounts/account-validation';
import { ImportAccounts } from './accounts/import-accounts';
import { ReadAccount } from './accounts/read-account';
import { ScheduleAccounts } from './accounts/schedule-accounts';
import { SharedValues } from './accounts/shared-values';
import { StoredLookups } from './accounts/stored-lookups';
import { ValidateAccount } from './accounts/validate-account';
import { AcceptCorrections } from './accounts/accept-corrections';
import { PerformCorrections } from './accounts/perform-corrections';
import { CorrectAccount } from './accounts/correct-account';
import { TakeBackAccount } from './accounts/take-back-account';
import { ErasedNumbers } from './processes/erased-numbers';
import { CorrectionRepository } from './accounts/correction.repository';
import { FoldImportCounts } from './counts/fold-import-counts';
import { ImportCountRepository } from './counts/import-count.repository';
import { ImportMetrics } from './counts/import-metrics';
import { ImportProcessCounts } from './counts/import-process-counts';
import { importEntities } from './entities';
import { CancelImport } from './processes/cancel-import';
import { ImportProcessErasureRepository } from './processes/import-process-erasure.repository';
import { ImportProcessFinder } from './processes/import-process-finder';
import { ImportProcessReadingRepository } from './processes/import-process-reading.repository';
import { ImportProcessStagingRepository } from './processes/import-process-staging.repository';
import { ImportProcessSteeringRepository } from './processes/import-process-steering.repository';
import { ImportStatus } from './processes/import-status';
import { ListFailedProcesses } from './processes/list-failed-processes';
import { ListImportProcesses } from './processes/list-import-processes';
import { PayloadRetentionRepository } from './processes/payload-retention.repository';
import { PendingProcessRepository } from './processes/pending-process.repository';
import { StaleImportRepository } from './processes/stale-import.repository';
import { SteerImportProcesses } from './processes/steer-import-processes';
import { SweepImportProcesses } from './processes/sweep-import-processes';
import { PerformProcessingRequest } from './staging/perform-processing-request';
import { ProcessStagedAccount } from './staging/process-staged-account';
import { StageAccount } from './staging/stage-account';
import { StagedAccountValidation } from './staging/staged-account-validation';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  AcceptAccounts,
  AcceptCorrections,
  AccountImportRepository,
  AccountNumbers,
  AccountRemovalRepository,
  AccountValidation,
  CancelImport,
  CorrectAccount,
  CorrectionRepository,
  ErasedNumbers,
  FoldImportCounts,
  ImportAccounts,
  ImportCountRepository,
  ImportMetrics,
  ImportProcessCounts,
  ImportProcessErasureRepository,
  ImportProcessFinder,
  ImportProcessReadingRepository,
  ImportProcessStagingRepository,
  ImportProcessSteeringRepository,
  ImportStatus,
  ListFailedProcesses,
  ListImportProcesses,
  PayloadRetentionRepository,
  PendingProcessRepository,
  PerformCorrections,
  PerformProcessingRequest,
  ProcessStagedAccount,
  ReadAccount,
  ScheduleAccounts,
  SharedValues,
  StageAccount,
  StagedAccountValidation,
  StaleImportRepository,
  SteerImportProcesses,
  StoredLookups,
  SweepImportProcesses,
  TakeBackAccount,
  ValidateAccount,
];

/** Accepts and imports accounts, and steers their import processes. */
@Module({
  imports: [PlatformModule, TenantsModule, AccountsModule, TypeOrmModule.forFeature(importEntities)],
  providers,
  exports: providers,
})
export class ImportsModule {}
