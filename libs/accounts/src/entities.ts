import { AccountEntity } from './account/account.entity';
import { AccountReferenceEntity } from './account/account-reference.entity';
import { AccountRequestEntity } from './requests/account-request.entity';
import { AgreementEntity } from './account/agreement.entity';
import { ChargedPeriodEntity } from './statements/charged-period.entity';
import { CustomerEntity } from './account/customer.entity';
import { DebtEntity } from './account/debt.entity';
import { DocumentEntity } from './documents/document.entity';
import { HeldRoleEntity } from './account/held-role.entity';
import { HistoricalStatementEntity } from './statements/historical-statement.entity';
import { IdempotencyKeyEntity } from './requests/idempotency-key.entity';
import { LedgerEntity } from './statements/ledger.entity';
import { NoteEntity } from './notes/note.entity';
import { PaymentInstructionEntity } from './payment-instructions/payment-instruction.entity';
import { StatementPeriodEntity } from './statements/statement-period.entity';
import { SupplyPointEntity } from './account/supply-point.entity';
import { TransactionEntity } from './transactions/transaction.entity';
import { WelcomeEmailEntity } from './emails/welcome-email.entity';

/** The tables of this subject. */
export const accountEntities = [
  AccountEntity,
  AccountReferenceEntity,
  AccountRequestEntity,
  AgreementEntity,
  ChargedPeriodEntity,
  CustomerEntity,
  DebtEntity,
  DocumentEntity,
  HeldRoleEntity,
  HistoricalStatementEntity,
  IdempotencyKeyEntity,
  LedgerEntity,
  NoteEntity,
  PaymentInstructionEntity,
  StatementPeriodEntity,
  SupplyPointEntity,
  TransactionEntity,
  WelcomeEmailEntity,
];
