import { getMetadataArgsStorage } from 'typeorm';
import { AccountReferenceEntity } from '../account/account-reference.entity';
import { AgreementEntity } from '../account/agreement.entity';
import { CustomerEntity } from '../account/customer.entity';
import { DebtEntity } from '../account/debt.entity';
import { SupplyPointEntity } from '../account/supply-point.entity';
import { DocumentEntity } from '../document/document.entity';
import { HistoricalStatementEntity } from '../historical-statement/historical-statement.entity';
import { ChargedPeriodEntity } from '../ledger/charged-period.entity';
import { LedgerEntity } from '../ledger/ledger.entity';
import { StatementPeriodEntity } from '../ledger/statement-period.entity';
import { TransactionEntity } from '../ledger/transaction.entity';
import { NoteEntity } from '../note/note.entity';
import { PaymentInstructionEntity } from '../payment-instruction/payment-instruction.entity';
import { PostgresNamingStrategy } from '../schema/naming-strategy';
import { WelcomeEmailEntity } from '../welcome-email/welcome-email.entity';

/** An entity, and its properties that the database sets when an account is created. */
interface Part<Entity, Omitted extends keyof Entity> {
  entity: new () => Entity;
  omitted: readonly Omitted[];
}

function part<Entity, Omitted extends keyof Entity = never>(
  entity: new () => Entity,
  ...omitted: readonly Omitted[]
): Part<Entity, Omitted> {
  return { entity, omitted };
}

/**
 * The tables that hold the parts of an account. A new part is one entry here and its rows in {@link AccountRows};
 * columns and types are read from its entity, and the statement adds `accountId` to each row.
 */
const PARTS = {
  customer: part(CustomerEntity),
  account_reference: part(AccountReferenceEntity),
  debt: part(DebtEntity),
  charged_period: part(ChargedPeriodEntity, 'id'),
  supply_point: part(SupplyPointEntity),
  agreement: part(AgreementEntity),
  ledger: part(LedgerEntity),
  statement_period: part(StatementPeriodEntity),
  transaction: part(TransactionEntity, 'id', 'originalDate', 'adjustment', 'createdAt', 'actor'),
  note: part(NoteEntity, 'id', 'actor'),
  historical_statement: part(HistoricalStatementEntity, 'createdAt', 'actor'),
  document: part(
    DocumentEntity,
    ...(['id', 'state', 'size', 'mediaType', 'sha256', 'errorCode'] as const),
    ...(['enqueuedAt', 'inspectedAt', 'createdAt'] as const),
  ),
  payment_instruction: part(PaymentInstructionEntity, 'id', 'verifiedAt', 'createdAt', 'actor'),
  welcome_email: part(WelcomeEmailEntity, 'state', 'errorCode', 'enqueuedAt', 'sentAt', 'createdAt'),
};

/** A table that holds parts of accounts. */
export type AccountTable = keyof typeof PARTS;

type NullableKeys<Row> = { [Key in keyof Row]-?: null extends Row[Key] ? Key : never }[keyof Row];

/** A nullable column that is absent or undefined is stored as null. */
type WithoutNulls<Row> = Omit<Row, NullableKeys<Row>> & {
  [Key in NullableKeys<Row>]?: Row[Key] | undefined;
};

type RowOf<P> =
  P extends Part<infer Entity, infer Omitted>
    ? WithoutNulls<Omit<Entity, Omitted | Extract<keyof Entity, 'accountId'>>>
    : never;

/** One row of a table, by the property names of its entity. Dates and timestamps are ISO 8601, amounts decimal text. */
export type AccountRow<Table extends AccountTable> = RowOf<(typeof PARTS)[Table]>;

/** The rows of an account, by table. */
export type AccountRows = { [Table in AccountTable]: AccountRow<Table>[] };

/** All tables that hold parts of accounts; the creation and the erasure of accounts are derived from this list. */
export const accountTables = Object.keys(PARTS) as AccountTable[];

/** The tables whose rows name the API key that posted them, if a request has added them after the import. */
export const attributedTables = accountTables.filter((table) =>
  getMetadataArgsStorage()
    .filterColumns(PARTS[table].entity)
    .some(({ propertyName }) => propertyName === 'actor'),
);

/** The columns of a table that the creation of an account writes, from the metadata of its entity. */
function columnsOf(table: AccountTable): { property: string; name: string; type: string }[] {
  const { entity, omitted } = PARTS[table];
  const omittedProperties = new Set<string>(['accountId', ...omitted]);
  const naming = new PostgresNamingStrategy();
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .filter(({ propertyName }) => !omittedProperties.has(propertyName))
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: naming.columnName(propertyName, options.name),
      type: `${String(options.type)}${options.array ? '[]' : ''}`,
    }));
}

/**
 * Builds an INSERT of the rows of a table for a batch of accounts. One parameter carries the rows as a JSON array;
 * `ordinal` in each row identifies its account in `created_account (ordinal, account_id)`, a CTE of the statement.
 *
 * The planner expects a hundred rows of json_to_recordset, which is harmless here: only `created_account` is joined.
 */
export function insertRows(table: AccountTable, parameter: number): string {
  const columns = columnsOf(table);
  const list = (textOf: (column: (typeof columns)[number]) => string) => columns.map(textOf).join(', ');
  return `
    INSERT INTO "${table}" (account_id, ${list(({ name }) => `"${name}"`)})
    SELECT created_account.account_id, ${list(({ property }) => `part."${property}"`)}
    FROM json_to_recordset($${parameter}::json)
      AS part (ordinal bigint, ${list(({ property, type }) => `"${property}" ${type}`)})
    JOIN created_account USING (ordinal)`;
}
