import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '@portage/accounts';
import { ImportsModule } from '@portage/imports';
import { PlatformModule } from '@portage/platform';
import { TenantsModule } from '@portage/tenants';
import { AbortSubmission } from './abort-submission';
import { AccountRollbackRepository } from './account-rollback.repository';
import { PerformAdditions } from './additions/perform-additions';
import { ReceiveAdditions } from './additions/receive-additions';
import { SubmissionAdditionRepository } from './additions/submission-addition.repository';
import { SubmissionInstructionRepository } from './additions/submission-instruction.repository';
import { CompleteSubmission } from './complete-submission';
import { submissionEntities } from './entities';
import { EraseAccount } from './erasure/erase-account';
import { EraseExpiredPayloads } from './erasure/erase-expired-payloads';
import { EraseProcess } from './erasure/erase-process';
import { SubmissionErasureRepository } from './erasure/submission-erasure.repository';
import { OpenSubmission } from './open-submission';
import { ReceiveAccounts } from './receive-accounts';
import { ReceiveUpload } from './receive-upload';
import { ReconcileSubmission } from './reconcile-submission';
import { RollBackSubmission } from './roll-back-submission';
import { SubmissionReconciliationRepository } from './submission-reconciliation.repository';
import { SubmissionResults } from './submission-results';
import { SubmissionResultsRepository } from './submission-results.repository';
import { SubmissionUploadRepository } from './submission-upload.repository';
import { SubmissionRepository } from './submission.repository';
import { Submissions } from './submissions';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  AbortSubmission,
  AccountRollbackRepository,
  PerformAdditions,
  ReceiveAdditions,
  ReceiveUpload,
  SubmissionAdditionRepository,
  CompleteSubmission,
  EraseAccount,
  EraseExpiredPayloads,
  EraseProcess,
  OpenSubmission,
  ReceiveAccounts,
  ReconcileSubmission,
  RollBackSubmission,
  SubmissionErasureRepository,
  SubmissionInstructionRepository,
  SubmissionReconciliationRepository,
  SubmissionRepository,
  SubmissionResults,
  SubmissionResultsRepository,
  SubmissionUploadRepository,
  Submissions,
];

/** Books: their upload, results, reconciliation and rollback; and erasures. */
@Module({
  imports: [
    PlatformModule,
    TenantsModule,
    AccountsModule,
    ImportsModule,
    TypeOrmModule.forFeature(submissionEntities),
  ],
  providers,
  exports: providers,
})
export class SubmissionsModule {}
