import { Injectable } from '@nestjs/common';
import { buildQueryError, type PortageError } from '@portage/platform';
import { DataSource, type EntityManager, In, IsNull, type SelectQueryBuilder } from 'typeorm';
import { AccountEntity } from '../account/account.entity';
import { DocumentEntity } from '../documents/document.entity';
import { NoteEntity } from '../notes/note.entity';
import { PaymentInstructionEntity } from '../payment-instructions/payment-instruction.entity';
import { HistoricalStatementEntity } from '../statements/historical-statement.entity';
import { LedgerEntity } from '../statements/ledger.entity';
import type { StatementPeriodEntity } from '../statements/statement-period.entity';
import { TransactionEntity } from '../transactions/transaction.entity';
import { ADDITION_TABLES, type AdditionCounts, type AdditionList, isAdded } from './additions';

/** A page of the additions of one kind. */
export interface AdditionPage {
  kind: AdditionList;
  limit: number;
  /** The cursor of the previous page: the id of its last row, which of a statement is its `statement_id`. */
  after: string | undefined;
}

/** A transaction with its statement period and its ledger. */
export type BookedTransaction = TransactionEntity & {
  statementPeriod: StatementPeriodEntity & { ledger: LedgerEntity };
};

/** The rows of a page in the order of their addition, and one more if there is another page. */
export type AddedRows =
  | { kind: 'notes'; rows: NoteEntity[] }
  | { kind: 'transactions'; rows: BookedTransaction[] }
  /** With the documents that they name. */
  | { kind: 'historical_statements'; rows: HistoricalStatementEntity[]; documents: DocumentEntity[] }
  | { kind: 'payment_instructions'; rows: PaymentInstructionEntity[] };

/** What requests have added to an account, and its balances, in one snapshot. */
export interface AccountAdditions {
  account: AccountEntity;
  ledgers: LedgerEntity[];
  counts: AdditionCounts;
  /** Undefined if no page was asked for. */
  page: AddedRows | undefined;
}

const ENTITIES = {
  notes: NoteEntity,
  transactions: TransactionEntity,
  historical_statements: HistoricalStatementEntity,
  payment_instructions: PaymentInstructionEntity,
};

type Added<Kind extends AdditionList> = InstanceType<(typeof ENTITIES)[Kind]>;

/** The error of a cursor that no page of the kind has. */
export function buildCursorError(): PortageError {
  return buildQueryError('after', 'after must be the `next` of the previous page of this kind.');
}

/** Reads what requests have added to accounts. A page costs a reading of the account's own rows, by their indexes. */
@Injectable()
export class AccountAdditionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The balances of an account, the numbers of its additions, and a page of those of one kind, in one snapshot.
   *
   * @param page undefined for none
   * @returns undefined if the supplier has no such account, or its personal data was erased
   * @throws PortageError `validation_error` if a page of statements continues after one that was not added
   */
  async find(
    supplierId: number,
    externalIdentifier: string,
    page: AdditionPage | undefined,
  ): Promise<AccountAdditions | undefined> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const account = await manager.findOneBy(AccountEntity, {
        supplierId,
        externalIdentifier,
        erasedAt: IsNull(),
      });
      if (!account) return undefined;
      const count = async (kind: AdditionList) => selectAdded(manager, account, kind).getCount();
      return {
        account,
        ledgers: await manager.find(LedgerEntity, {
          where: { accountId: account.id },
          order: { position: 'ASC' },
        }),
        counts: {
          notes: await count('notes'),
          transactions: await count('transactions'),
          historical_statements: await count('historical_statements'),
          payment_instructions: await count('payment_instructions'),
        },
        page: page && (await readPage(manager, account, page)),
      };
    });
  }
}

/** The rows of a kind that were added to an account, as `part`. */
function selectAdded<Kind extends AdditionList>(
  manager: EntityManager,
  { id, createdAt }: AccountEntity,
  kind: Kind,
): SelectQueryBuilder<Added<Kind>> {
  return manager
    .createQueryBuilder<Added<Kind>>(ENTITIES[kind] as new () => Added<Kind>, 'part')
    .where('part.accountId = :id', { id })
    .andWhere(isAdded(ADDITION_TABLES[kind], 'part', ':createdAt'), { createdAt });
}

async function readPage(
  manager: EntityManager,
  account: AccountEntity,
  page: AdditionPage,
): Promise<AddedRows> {
  const { kind } = page;
  if (kind === 'notes') return { kind, rows: await selectPage(manager, account, kind, page).getMany() };
  if (kind === 'payment_instructions')
    return { kind, rows: await selectPage(manager, account, kind, page).getMany() };
  if (kind === 'historical_statements') return readStatements(manager, account, page);
  const transactions = selectPage(manager, account, kind, page)
    .innerJoinAndSelect('part.statementPeriod', 'period')
    .innerJoinAndSelect('period.ledger', 'ledger');
  return { kind, rows: (await transactions.getMany()) as BookedTransaction[] };
}

function selectPage<Kind extends Exclude<AdditionList, 'historical_statements'>>(
  manager: EntityManager,
  account: AccountEntity,
  kind: Kind,
  { limit, after = '0' }: AdditionPage,
): SelectQueryBuilder<Added<Kind>> {
  return selectAdded(manager, account, kind)
    .andWhere('part.id > :after', { after })
    .orderBy('part.id')
    .limit(limit + 1);
}

/** Statements have no id but that of their supplier, so they are in the order of their time. */
async function readStatements(
  manager: EntityManager,
  account: AccountEntity,
  { limit, after }: AdditionPage,
): Promise<AddedRows> {
  const kind = 'historical_statements';
  const added = selectAdded(manager, account, kind);
  if (after !== undefined) {
    const last = await selectAdded(manager, account, kind)
      .andWhere('part.statementId = :after', { after })
      .getOne();
    if (!last) throw buildCursorError();
    added.andWhere('(part.createdAt, part.statementId) > (:lastAt, :lastId)', {
      lastAt: last.createdAt,
      lastId: last.statementId,
    });
  }
  const rows = await added
    .orderBy('part.createdAt')
    .addOrderBy('part.statementId')
    .limit(limit + 1)
    .getMany();
  const paths = rows.flatMap(({ statementPath }) => statementPath ?? []);
  const documents = await manager.findBy(DocumentEntity, {
    accountId: account.id,
    kind: 'statement',
    path: In(paths),
  });
  return { kind, rows, documents };
}
