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

/** Rows of each list of an account that can grow without a limit, on one page of an inspection. */
export const INSPECTED_ROWS = 500;

/** The lists of an account that can grow without a limit, by their names in the view. */
type LongList = 'transactions' | 'notes' | 'historical_statements' | 'documents' | 'payment_instructions';

/** The stored rows of an account. Of each {@link LongList} it has a page, in the order of the list. */
export interface WholeAccount {
  /** Page 1 has the newest rows. */
  page: number;
  /** All stored rows of each long list. */
  totals: Record<LongList, number>;
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

/** Reads whole accounts for operators, as they are now ({@link AccountContentRepository}: as they were imported). */
@Injectable()
export class AccountInspectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The account with this platform account number, in one snapshot.
   *
   * @param page of the long lists; 1 has the newest rows
   */
  async find(number: string, page = 1): Promise<WholeAccount | undefined> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const account = await manager.findOneBy(AccountEntity, { number });
      if (!account) return undefined;
      const where = { accountId: account.id };
      const byPosition = { where, order: { position: 'ASC' } } as const;
      const rowsOfPage = { where, take: INSPECTED_ROWS, skip: (page - 1) * INSPECTED_ROWS };
      const newest = { ...rowsOfPage, order: { id: 'DESC' } } as const;
      const [transactions, transactionCount] = await manager.findAndCount(TransactionEntity, newest);
      const [notes, noteCount] = await manager.findAndCount(NoteEntity, newest);
      const [statements, statementCount] = await manager.findAndCount(HistoricalStatementEntity, {
        ...rowsOfPage,
        order: { billPeriodFromDate: 'DESC', statementId: 'DESC' },
      });
      const [documents, documentCount] = await manager.findAndCount(DocumentEntity, newest);
      const [instructions, instructionCount] = await manager.findAndCount(PaymentInstructionEntity, newest);
      return {
        page,
        totals: {
          transactions: transactionCount,
          notes: noteCount,
          historical_statements: statementCount,
          documents: documentCount,
          payment_instructions: instructionCount,
        },
        account,
        supplier: await manager.findOneByOrFail(ImportSupplierEntity, { id: account.supplierId }),
        customers: await manager.find(CustomerEntity, byPosition),
        references: await manager.find(AccountReferenceEntity, byPosition),
        debts: await manager.find(DebtEntity, byPosition),
        supplyPoints: await manager.find(SupplyPointEntity, byPosition),
        agreements: await manager.find(AgreementEntity, byPosition),
        ledgers: await manager.find(LedgerEntity, byPosition),
        statementPeriods: await manager.find(StatementPeriodEntity, byPosition),
        transactions: transactions.toReversed(),
        notes: notes.toReversed(),
        historicalStatements: statements.toReversed(),
        documents: documents.toReversed(),
        paymentInstructions: instructions.toReversed(),
        welcomeEmail: await manager.findOneBy(WelcomeEmailEntity, where),
        payload: await manager.findOneBy<StoredPayload>('ImportProcessPayloadEntity', {
          processId: account.processId,
        }),
      };
    });
  }
}
