export {
  type AccountLookup,
  AccountLookupsRepository,
  type Findings,
  type LookupFindings,
  type LookupKind,
  type LookupScope,
} from './account/account-lookups.repository';
export { ImportedAccountRepository } from './account/imported-account.repository';
export { SharedValuesRepository, type StoredShare } from './account/shared-values.repository';
export { AccountsModule } from './accounts.module';
export { AccountAdditions } from './additions/account-additions';
export {
  ADDITION_KINDS,
  type AdditionInput,
  type AdditionKind,
  type AdditionOutcome,
  type ImmediateAddition,
} from './additions/addition';
export { AdditionValidation } from './additions/addition-validation';
export { DocumentPaths, malformedPaths, storedPath } from './documents/document-paths';
export { DocumentRepository, type ListedDocumentState, NOT_FOUND_YET } from './documents/document.repository';
export { DocumentView, UploadedDocumentView } from './documents/documents.dto';
export { type DocumentOutcome, InspectDocument } from './documents/inspect-document';
export { ListDocuments } from './documents/list-documents';
export { RetryDocuments, type UnsettledState } from './documents/retry-documents';
export { UploadDocument } from './documents/upload-document';
export { SendWelcomeEmail, type WelcomeEmailOutcome } from './emails/send-welcome-email';
export { WelcomeEmailRepository } from './emails/welcome-email.repository';
export { AddNotes } from './notes/add-notes';
export { NoteResultView } from './notes/notes.dto';
export { CreatePaymentInstruction } from './payment-instructions/create-payment-instruction';
export type { VendorOutcome } from './payment-instructions/vendors/payment-vendor';
export { PaymentInstructionRepository } from './payment-instructions/payment-instruction.repository';
export { PaymentVendors, type VendorObservation } from './payment-instructions/vendors/payment-vendors';
export { VendorMetrics } from './payment-instructions/vendors/vendor-metrics';
export type { BreakerState } from './payment-instructions/vendors/vendor-breaker';
export {
  type VerificationResult,
  VerifyPaymentInstruction,
} from './payment-instructions/verify-payment-instruction';
export {
  AccountFollowUps,
  type AccountWithFollowUps,
  type CreatedAccount,
} from './requests/account-follow-ups';
export { AccountRequestDispatcher, buildNoOutcomeYet } from './requests/account-request-dispatcher';
export { AccountRequestRepository } from './requests/account-request.repository';
export { fingerprint } from './requests/fingerprint';
export { ForgetFinishedRequests } from './requests/forget-finished-requests';
export { IdempotencyKeyRepository, type KeyedRequest } from './requests/idempotency-key.repository';
export { buildValidationError, describeErrorCount, errorMembers } from './requests/imported-accounts';
export { KeyedRequests } from './requests/keyed-requests';
export { OutcomeWaiter } from './requests/outcome-waiter';
export { SweepFollowUps } from './requests/sweep-follow-ups';
export { isTransient } from './requests/transient-failure';
export { AddHistoricalStatements, type StatementsView } from './statements/add-historical-statements';
export { RollOverStatementPeriods } from './statements/roll-over-statement-periods';
export { type AddedTransactions, AddTransactions } from './transactions/add-transactions';
export { EFFECT_ON_BALANCE, effectOnBalance, TRANSACTION_TYPES } from './transactions/balance';
export {
  type AddingOutcome,
  ProcessTransactionsRequests,
} from './transactions/process-transactions-requests';
export type { TransactionsOptions } from './transactions/transactions-request';
export { TransactionResult } from './transactions/transactions.dto';
export { AccountContentRepository } from './whole-account/account-content.repository';
export {
  type AccountCorrection,
  AccountCorrectionRepository,
  CorrectionRefused,
} from './whole-account/account-correction.repository';
export {
  type AccountRows,
  accountTables,
  attributedTables,
  insertRows,
  type NewAccount,
  rowParameters,
} from './whole-account/account-rows';
export { ADDITION_LISTS, type AdditionList } from './whole-account/additions';
export { AdditionCountsView, AdditionsView } from './whole-account/additions.dto';
export { type AccountView, toAccountView } from './whole-account/account-view';
export { AccountErasureRepository, type LockedAccount } from './whole-account/account-erasure.repository';
export { toImportedContent } from './whole-account/imported-content';
export { InspectAccount } from './whole-account/inspect-account';
export { type AdditionsQuery, ReadAdditions } from './whole-account/read-additions';
export { newAccount } from './whole-account/new-account';
export { AccountEntity } from './account/account.entity';
export { DocumentEntity } from './documents/document.entity';
export { WelcomeEmailEntity } from './emails/welcome-email.entity';
export type { InstructionOutcome } from './payment-instructions/instruction-request';
export { AccountRequestEntity } from './requests/account-request.entity';
export { IdempotencyKeyEntity } from './requests/idempotency-key.entity';
export { accountEntities } from './entities';
