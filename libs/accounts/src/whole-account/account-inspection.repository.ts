import { Injectable } from '@nestjs/common';
import { ImportSupplierEntity } from '@portage/tenants';
import { DataSource } from 'typeorm';
import { AccountReferenceEntity } from '../account/account-reference.entity';
import { AccountEntity } from '../account/account.entity';
import { AgreementEntity } from '../account/agreement.entity';
import { CustomerEntity } from '../account/customer.entity';
import { DebtEntity } from '../account/debt.entity';
import { DocumentEntity } from '../documents/document.entity';
import { HistoricalStatementEntity } from '../statements/historical-statement.entity';
import { LedgerEntity } from '../statements/ledger.entity';
import { NoteEntity } from '../notes/note.entity';
import { PaymentInstructionEntity } from '../payment-instructions/payment-instruction.entity';
import { StatementPeriodEntity } from '../statements/statement-period.entity';
import { SupplyPointEntity } from '../account/supply-point.entity';
import { TransactionEntity } from '../transactions/transaction.entity';
import { WelcomeEmailEntity } from '../emails/welcome-email.entity';

/** All stored rows of an account. */
export interface WholeAccount {
  account: AccountEntity;
  supplier: ImportSupplierEntity;
  customers: CustomerEntity[];
  references: AccountReferenceEntity[];
  debts: DebtEntity[];
  supplyPoints: SupplyPointEntity[];
  agreements: AgreementEntity[];
  ledgers: LedgerEntity[];
  statementPeriods: StatementPeriodEntity[];
  transactions: TransactionEntity[];
  notes: NoteEntity[];
  historicalStatements: HistoricalStatementEntity[];
  documents: DocumentEntity[];
  paymentInstructions: PaymentInstructionEntity[];
  welcomeEmail: WelcomeEmailEntity | null;
  payload: StoredPayload | null;
}

/** What an inspection shows of the payload. It is read by the name of its entity, which belongs to a later subject. */
interface StoredPayload {
  processId: string;
  payload: unknown;
  receivedAt: string;
}

/** Reads whole accounts for operators; not on a hot path. */
@Injectable()
export class AccountInspectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The account with this platform account number, in one snapshot. */
  async find(number: string): Promise<WholeAccount | undefined> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const account = await manager.findOneBy(AccountEntity, { number });
      if (!account) return undefined;
      const where = { accountId: account.id };
      const byPosition = { where, order: { position: 'ASC' } } as const;
      const byId = { where, order: { id: 'ASC' } } as const;
      return {
        account,
        supplier: await manager.findOneByOrFail(ImportSupplierEntity, { id: account.supplierId }),
        customers: await manager.find(CustomerEntity, byPosition),
        references: await manager.find(AccountReferenceEntity, byPosition),
        debts: await manager.find(DebtEntity, byPosition),
        supplyPoints: await manager.find(SupplyPointEntity, byPosition),
        agreements: await manager.find(AgreementEntity, byPosition),
        ledgers: await manager.find(LedgerEntity, byPosition),
        statementPeriods: await manager.find(StatementPeriodEntity, byPosition),
        transactions: await manager.find(TransactionEntity, byId),
        notes: await manager.find(NoteEntity, byId),
        historicalStatements: await manager.find(HistoricalStatementEntity, {
          where,
          order: { billPeriodFromDate: 'ASC', statementId: 'ASC' },
        }),
        documents: await manager.find(DocumentEntity, byId),
        paymentInstructions: await manager.find(PaymentInstructionEntity, byId),
        welcomeEmail: await manager.findOneBy(WelcomeEmailEntity, where),
        payload: await manager.findOneBy<StoredPayload>('ImportProcessPayloadEntity', {
          processId: account.processId,
        }),
      };
    });
  }
}
