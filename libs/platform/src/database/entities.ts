import { ApiKeyEntity } from './access/api-key.entity';
import { RateLimitEntity } from './access/rate-limit.entity';
import { RefreshTokenEntity } from './access/refresh-token.entity';
import { RevokedTokenFamilyEntity } from './access/revoked-token-family.entity';
import { AccountRequestEntity } from './account-request/account-request.entity';
import { IdempotencyKeyEntity } from './account-request/idempotency-key.entity';
import { AccountReferenceEntity } from './account/account-reference.entity';
import { AccountEntity } from './account/account.entity';
import { AgreementEntity } from './account/agreement.entity';
import { CustomerEntity } from './account/customer.entity';
import { DebtEntity } from './account/debt.entity';
import { HeldRoleEntity } from './account/held-role.entity';
import { SupplyPointEntity } from './account/supply-point.entity';
import { AuditEntryEntity } from './audit/audit-entry.entity';
import { DocumentEntity } from './document/document.entity';
import { SubmissionEventEntity } from './event-feed/submission-event.entity';
import { HistoricalStatementEntity } from './historical-statement/historical-statement.entity';
import { ImportProcessCountEntity } from './import-process/import-process-count.entity';
import { ImportProcessEventEntity } from './import-process/import-process-event.entity';
import { ImportProcessPayloadEntity } from './import-process/import-process-payload.entity';
import { ImportProcessEntity } from './import-process/import-process.entity';
import { ChargedPeriodEntity } from './ledger/charged-period.entity';
import { LedgerEntity } from './ledger/ledger.entity';
import { StatementPeriodEntity } from './ledger/statement-period.entity';
import { TransactionEntity } from './ledger/transaction.entity';
import { NoteEntity } from './note/note.entity';
import { InstallationEntity } from './operator-rules/installation.entity';
import { ReferenceDataEntity } from './operator-rules/reference-data.entity';
import { OperatorSessionEntity } from './operator/operator-session.entity';
import { OperatorEntity } from './operator/operator.entity';
import { OrganisationEntity } from './organisation/organisation.entity';
import { PaymentInstructionEntity } from './payment-instruction/payment-instruction.entity';
import { SubmissionLineEntity } from './submission-line/submission-line.entity';
import { SubmissionUploadEntity } from './submission/submission-upload.entity';
import { SubmissionEntity } from './submission/submission.entity';
import { ImportSupplierEntity } from './supplier/import-supplier.entity';
import { WebhookAttemptEntity } from './webhook/webhook-attempt.entity';
import { WebhookEndpointEntity } from './webhook/webhook-endpoint.entity';
import {
  ImportProcessErrorCountEntity,
  ImportProcessMinuteEntity,
  ImportProcessRollupEntity,
} from './import-process/import-process-minute.entity';
import { WorkerHeartbeatEntity } from './worker/worker-heartbeat.entity';
import { WelcomeEmailEntity } from './welcome-email/welcome-email.entity';

/** All entities of the database, each after those that it refers to. */
export const entities = [
  InstallationEntity,
  ReferenceDataEntity,
  OrganisationEntity,
  ApiKeyEntity,
  RefreshTokenEntity,
  RevokedTokenFamilyEntity,
  RateLimitEntity,
  AuditEntryEntity,
  OperatorEntity,
  OperatorSessionEntity,
  ImportSupplierEntity,
  SubmissionEntity,
  SubmissionUploadEntity,
  SubmissionEventEntity,
  ImportProcessEntity,
  SubmissionLineEntity,
  ImportProcessPayloadEntity,
  ImportProcessEventEntity,
  ImportProcessCountEntity,
  ImportProcessMinuteEntity,
  ImportProcessRollupEntity,
  ImportProcessErrorCountEntity,
  AccountEntity,
  CustomerEntity,
  HeldRoleEntity,
  AccountReferenceEntity,
  DebtEntity,
  SupplyPointEntity,
  AgreementEntity,
  LedgerEntity,
  StatementPeriodEntity,
  TransactionEntity,
  ChargedPeriodEntity,
  NoteEntity,
  HistoricalStatementEntity,
  DocumentEntity,
  PaymentInstructionEntity,
  WelcomeEmailEntity,
  AccountRequestEntity,
  IdempotencyKeyEntity,
  WebhookEndpointEntity,
  WebhookAttemptEntity,
  WorkerHeartbeatEntity,
];
