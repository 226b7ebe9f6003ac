import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlatformModule } from '@portage/platform';
import { TenantsModule } from '@portage/tenants';
import { AccountLookupsRepository } from './account/account-lookups.repository';
import { ImportedAccountRepository } from './account/imported-account.repository';
import { SharedValuesRepository } from './account/shared-values.repository';
import { DocumentPaths } from './documents/document-paths';
import { DocumentRepository } from './documents/document.repository';
import { InspectDocument } from './documents/inspect-document';
import { ListDocuments } from './documents/list-documents';
import { RetryDocuments } from './documents/retry-documents';
import { UploadDocument } from './documents/upload-document';
import { SendWelcomeEmail } from './emails/send-welcome-email';
import { WelcomeEmailRepository } from './emails/welcome-email.repository';
import { accountEntities } from './entities';
import { AddNotes } from './notes/add-notes';
import { NoteRepository } from './notes/note.repository';
import { CreatePaymentInstruction } from './payment-instructions/create-payment-instruction';
import { PaymentInstructionRepository } from './payment-instructions/payment-instruction.repository';
import { PaymentInstructions } from './payment-instructions/payment-instructions';
import { PaymentVendors } from './payment-instructions/vendors/payment-vendors';
import { VendorMetrics } from './payment-instructions/vendors/vendor-metrics';
import { VerifyPaymentInstruction } from './payment-instructions/verify-payment-instruction';
import { AccountFollowUps } from './requests/account-follow-ups';
import { AccountRequestDispatcher } from './requests/account-request-dispatcher';
import { AccountRequestRepository } from './requests/account-request.repository';
import { RequestWithDocumentsHandler } from './requests/request-with-documents-handler';
import { ForgetFinishedRequests } from './requests/forget-finished-requests';
import { IdempotencyKeyRepository } from './requests/idempotency-key.repository';
import { ImportedAccounts } from './requests/imported-accounts';
import { KeyedRequests } from './requests/keyed-requests';
import { OutcomeWaiter } from './requests/outcome-waiter';
import { SweepFollowUps } from './requests/sweep-follow-ups';
import { AddHistoricalStatements } from './statements/add-historical-statements';
import { HistoricalStatementRepository } from './statements/historical-statement.repository';
import { RollOverStatementPeriods } from './statements/roll-over-statement-periods';
import { StatementPeriodRepository } from './statements/statement-period.repository';
import { AddTransactions } from './transactions/add-transactions';
import { ProcessTransactionsRequests } from './transactions/process-transactions-requests';
import { TransactionRepository } from './transactions/transaction.repository';
import { TransactionsWriter } from './transactions/transactions-writer';
import { AccountAdditionsRepository } from './whole-account/account-additions.repository';
import { AccountContentRepository } from './whole-account/account-content.repository';
import { AccountCorrectionRepository } from './whole-account/account-correction.repository';
import { AccountErasureRepository } from './whole-account/account-erasure.repository';
import { AccountAdditions } from './additions/account-additions';
import { AdditionValidation } from './additions/addition-validation';
import { AccountInspectionRepository } from './whole-account/account-inspection.repository';
import { InspectAccount } from './whole-account/inspect-account';
import { ReadAdditions } from './whole-account/read-additions';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  AccountAdditionsRepository,
  AccountContentRepository,
  AccountCorrectionRepository,
  AccountErasureRepository,
  AccountFollowUps,
  AccountAdditions,
  AccountInspectionRepository,
  AccountLookupsRepository,
  AccountRequestDispatcher,
  AccountRequestRepository,
  AddHistoricalStatements,
  AddNotes,
  AddTransactions,
  CreatePaymentInstruction,
  DocumentPaths,
  DocumentRepository,
  RequestWithDocumentsHandler,
  ForgetFinishedRequests,
  HistoricalStatementRepository,
  IdempotencyKeyRepository,
  ImportedAccountRepository,
  ImportedAccounts,
  InspectAccount,
  InspectDocument,
  KeyedRequests,
  ListDocuments,
  NoteRepository,
  OutcomeWaiter,
  PaymentInstructionRepository,
  PaymentInstructions,
  PaymentVendors,
  VendorMetrics,
  ProcessTransactionsRequests,
  AdditionValidation,
  ReadAdditions,
  RetryDocuments,
  UploadDocument,
  RollOverStatementPeriods,
  SendWelcomeEmail,
  SharedValuesRepository,
  StatementPeriodRepository,
  SweepFollowUps,
  TransactionRepository,
  TransactionsWriter,
  VerifyPaymentInstruction,
  WelcomeEmailRepository,
];

/** The imported account and what is added to it. */
@Module({
  imports: [PlatformModule, TenantsModule, TypeOrmModule.forFeature(accountEntities)],
  providers,
  exports: providers,
})
export class AccountsModule {}
