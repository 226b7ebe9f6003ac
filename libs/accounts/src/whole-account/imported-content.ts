import { groupBy } from '@portage/account-schema/service';
import { formatMoney, mapInSlices, parseMoney } from '@portage/platform';
import { BALANCE_DIGITS } from '../transactions/balance';
import type { AccountContent, ContentRow } from './account-content.repository';
import { CLOSED } from './ledgers';

type Json = Record<string, unknown>;

/**
 * Builds the account from the rows that its import has written, in the contract's shape (contract, "Account"). docs/api.md
 * lists where it differs from what was sent.
 */
export async function toImportedContent(content: AccountContent, supplierCode: string): Promise<Json> {
  const { supply_addresses: addresses = [], ...details } = content.details;
  return omitEmpty({
    import_supplier: supplierCode,
    external_account_number: content.externalAccountNumber,
    external_identifier: content.externalIdentifier,
    account_type: content.accountType,
    ...content.billing,
    ...withTwoDecimals(details),
    customers: content.customers.map(({ given_name: name, ...customer }) =>
      // The column is not nullable.
      toPart({ ...customer, given_name: name === '' ? null : name }),
    ),
    references: content.accountReferences,
    supply_addresses: supplyAddresses(addresses as Json[], content),
    debts: content.debts.map(toPart),
    ...(await ledgerFields(content, details)),
    notes: await mapInSlices(content.notes, ({ document_paths: paths, ...note }) =>
      omitEmpty({ ...note, document_paths: (paths as string[]).map((path) => ({ document_path: path })) }),
    ),
    statements: await mapInSlices(content.statements, toPart),
    payment_instructions: content.paymentInstructions.map(toPart),
  });
}

function supplyAddresses(addresses: readonly Json[], content: AccountContent): Json[] {
  const agreements = groupBy(content.agreements, (one) => one.supply_point_position);
  const points = groupBy(content.supplyPoints, (one) => one.supply_address_position);
  return addresses.map((address, at) => ({
    ...address,
    meter_points: (points.get(at) ?? []).map(({ position, supply_address_position: _, ...point }) =>
      toPart({
        ...point,
        agreements: (agreements.get(position) ?? []).map(({ supply_point_position: __, ...agreement }) =>
          toPart(agreement),
        ),
      }),
    ),
  }));
}

/** The ledgers, or the fields of the account that its only ledger was made of. */
async function ledgerFields({ ledgers, transactions }: AccountContent, account: Json): Promise<Json> {
  const ofLedgers = groupBy(transactions, (one) => one.ledger_position);
  const built: Json[] = [];
  for (const { position, balance, ...ledger } of ledgers) {
    const own = ofLedgers.get(position) ?? [];
    const ofPeriod = async (isHistory: boolean) =>
      mapInSlices(
        own.filter(({ period_position: period }) => (period === CLOSED) === isHistory),
        ({ ledger_position: _, period_position: __, ...transaction }) => toPart(transaction),
      );
    built.push({
      ...withTwoDecimals(toPart(ledger)),
      ledger_balance: balance,
      ...omitEmpty({
        historical_statement_transactions: await ofPeriod(true),
        current_statement_transactions: await ofPeriod(false),
      }),
    });
  }
  const [only] = built;
  if (built.length !== 1 || !only || !isOfAccount(only, withTwoDecimals(account))) return { ledgers: built };
  const { ledger_balance: balance, ...fields } = only;
  const isSent = account['transfer_balance'] !== undefined || Number(balance) !== 0;
  return { ...fields, ...(isSent && { transfer_balance: balance }) };
}

/** True if a ledger has no field that the account does not have itself. */
function isOfAccount(ledger: Json, account: Json): boolean {
  return Object.entries(ledger).every(([name, value]) => FIELDS_OF_ROWS.has(name) || account[name] === value);
}

const FIELDS_OF_ROWS: ReadonlySet<string> = new Set([
  'ledger_balance',
  'historical_statement_transactions',
  'current_statement_transactions',
]);

/** The balance of the last statement is stored as it was sent. Answers have two decimals (contract, "Amounts"). */
function withTwoDecimals(fields: Json): Json {
  const { last_statement_balance: sent } = fields;
  const balance = typeof sent === 'string' ? parseMoney(sent, BALANCE_DIGITS) : undefined;
  return balance === undefined ? fields : { ...fields, last_statement_balance: formatMoney(balance) };
}

/** A part with its columns and its other fields. */
function toPart({ details, ...columns }: ContentRow): Json {
  return { ...omitEmpty(columns), ...details };
}

/** Without the columns that are null, and lists without a row. */
function omitEmpty(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
