import { Module } from '@nestjs/common';
import { CONFIG } from '@portage/config';
import { DatabaseModule } from '@portage/database';
import { DocumentsModule } from '@portage/documents';
import { systemClock } from '@portage/domain';
import { MailModule } from '@portage/mail';
import { VendorsModule } from '@portage/vendors';
import { AccessTokens } from './access/access-tokens';
import { Authenticate } from './access/authenticate';
import { ObtainToken } from './access/obtain-token';
import { Organisations } from './access/organisations';
import { TokenAttempts } from './access/token-attempts';
import { AccountFollowUps } from './account/account-follow-ups';
import { AccountValidation } from './account/account-validation';
import { EraseAccount } from './account/erase-account';
import { ImportAccount } from './account/import-account';
import { ImportBatches } from './account/import-batches';
import { LookupBatches } from './account/lookup-batches';
import { InspectAccount } from './account/inspect-account';
import { ScheduleAccount } from './account/schedule-account';
import { AccountRequestDispatcher } from './after-import/account-request-dispatcher';
import { ImportedAccounts } from './after-import/imported-accounts';
import { KeyedRequests } from './after-import/keyed-requests';
import { Outcomes } from './after-import/outcomes';
import { AuditTrail } from './audit/audit-trail';
import { OPERATOR, operatorOf } from './audit/operator';
import { CLOCK } from './clock-token';
import { DocumentPaths } from './documents/document-paths';
import { InspectDocument } from './documents/inspect-document';
import { DocumentedRequestHandler } from './documents/documented-request-handler';
import { RetryDocuments } from './documents/retry-documents';
import { AddHistoricalStatements } from './historical-statements/add-historical-statements';
import { ImportStatus } from './import-process/import-status';
import { ImportProcessCounts } from './import-process/import-process-counts';
import { InspectImportProcesses } from './import-process/inspect-import-processes';
import { ListImportProcesses } from './import-process/list-import-processes';
import { SteerImportProcesses } from './import-process/steer-import-processes';
import { SweepImportProcesses } from './import-process/sweep-import-processes';
import { CountImportProcesses } from './maintenance/count-import-processes';
import { EraseExpiredPayloads } from './maintenance/erase-expired-payloads';
import { ForgetFinishedRequests } from './maintenance/forget-finished-requests';
import { RollOverStatementPeriods } from './maintenance/roll-over-statement-periods';
import { SendWelcomeEmail } from './maintenance/send-welcome-email';
import { SweepFollowUps } from './maintenance/sweep-follow-ups';
import { AddNotes } from './notes/add-notes';
import { OperatorRules } from './operator-rules/operator-rules';
import { RuleSettingsDirectory } from './operator-rules/rule-settings-directory';
import { CreatePaymentInstruction } from './payment-instructions/create-payment-instruction';
import { PaymentInstructions } from './payment-instructions/payment-instructions';
import { VerifyPaymentInstruction } from './payment-instructions/verify-payment-instruction';
import { RateLimits } from './rate-limits/rate-limits';
import { ImportSupplierDirectory } from './suppliers/import-supplier-directory';
import { ImportSuppliers } from './suppliers/import-suppliers';
import { SupplierReport } from './suppliers/supplier-report';
import { ProcessTransactionsRequest } from './transactions/process-transactions-request';
import { TransactionsWriter } from './transactions/transactions-writer';
import { AddTransactions } from './transactions/add-transactions';

const useCases = [
  AccessTokens,
  AccountFollowUps,
  AccountRequestDispatcher,
  AccountValidation,
  AddHistoricalStatements,
  AddNotes,
  ProcessTransactionsRequest,
  TransactionsWriter,
  AuditTrail,
  Authenticate,
  CountImportProcesses,
  CreatePaymentInstruction,
  AddTransactions,
  DocumentPaths,
  EraseAccount,
  EraseExpiredPayloads,
  ForgetFinishedRequests,
  ImportAccount,
  ImportBatches,
  ImportProcessCounts,
  LookupBatches,
  ImportStatus,
  ImportedAccounts,
  ImportSupplierDirectory,
  ImportSuppliers,
  SupplierReport,
  InspectAccount,
  InspectDocument,
  InspectImportProcesses,
  KeyedRequests,
  ListImportProcesses,
  ObtainToken,
  OperatorRules,
  Organisations,
  Outcomes,
  RateLimits,
  DocumentedRequestHandler,
  PaymentInstructions,
  RetryDocuments,
  RollOverStatementPeriods,
  RuleSettingsDirectory,
  ScheduleAccount,
  SteerImportProcesses,
  SendWelcomeEmail,
  SweepFollowUps,
  SweepImportProcesses,
  VerifyPaymentInstruction,
  TokenAttempts,
];

/** The use cases: the middle that API, worker and command line are built on. */
@Module({
  imports: [DatabaseModule, VendorsModule, DocumentsModule, MailModule],
  providers: [
    ...useCases,
    { provide: CLOCK, useValue: systemClock },
    { provide: OPERATOR, inject: [CONFIG], useFactory: operatorOf },
  ],
  exports: [...useCases, CLOCK],
})
export class ImportingModule {}
