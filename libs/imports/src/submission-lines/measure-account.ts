import { effectOnBalance, storedPath, TRANSACTION_TYPES } from '@portage/accounts';
import { formatMoney, isObject, type Money, parseMoney } from '@portage/platform';
import type { MeasureValues } from './measures';

/** Whole digits of a sum of balances that a line can have. */
const MAX_WHOLE_DIGITS = 17;

/** Whole digits of one amount. */
const TRANSACTION_WHOLE_DIGITS = 10;

type Json = Record<string, unknown>;

/**
 * The measures of an account, as far as they can be read: the rows that its import creates, and the sum of its ledger balances.
 * Those of a valid account are the same before and after validation: lists have the same lengths, and amounts the same values.
 */
export function measurePayload(payload: unknown): MeasureValues {
  const account = objectOf(payload);
  const ledgers = listOf(account['ledgers']).map(objectOf);
  // An account without ledgers has one, made of its own fields.
  const all = ledgers.length > 0 ? ledgers : [{ ...account, ledger_balance: account['transfer_balance'] }];
  let transactions = 0;
  let debits = 0n;
  let credits = 0n;
  for (const ledger of all) {
    transactions +=
      listOf(ledger['historical_statement_transactions']).length +
      listOf(ledger['current_statement_transactions']).length;
    const balance = balanceOf(ledger);
    if (balance < 0n) debits += balance;
    else credits += balance;
  }
  const debts = listOf(account['debts']).length;
  const points = listOf(account['supply_addresses']).flatMap((address) =>
    listOf(objectOf(address)['meter_points']).map(objectOf),
  );
  const statements = listOf(account['statements']).map(objectOf);
  return {
    accounts: 1,
    customers: listOf(account['customers']).length,
    supply_points: points.length,
    readings: points.reduce((count, point) => count + countReadings(point), 0),
    statements: statements.length,
    statement_total: sumStatements(statements),
    transactions,
    opening_balance: formatStorable(debits + credits),
    opening_debits: formatStorable(debits),
    opening_credits: formatStorable(credits),
    payment_instructions: listOf(account['payment_instructions']).length,
    debts: isObject(account['debt']) ? debts + 1 : debts,
    documents: countDocuments(statements, listOf(account['notes']).map(objectOf)),
  };
}

function countReadings(point: Json): number {
  return listOf(point['meters'])
    .map(objectOf)
    .reduce(
      (count, meter) =>
        count + listOf(meter['transfer_readings']).length + listOf(meter['reading_history']).length,
      0,
    );
}

/** The gross amounts in whole minor units. Decimals, which some suppliers send, are rounded as PostgreSQL does. */
function sumStatements(statements: readonly Json[]): number {
  let sum = 0n;
  for (const { gross_amount: amount } of statements) sum += minorUnitsOf(amount) ?? 0n;
  const total = Number(sum);
  return Number.isSafeInteger(total) ? total : 0;
}

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d)\d*)?$/;

function minorUnitsOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, sign, whole, tenths = '0'] = DECIMAL.exec(String(value).trim()) ?? [];
  if (whole === undefined) return undefined;
  const rounded = BigInt(whole) + (tenths >= '5' ? 1n : 0n);
  return sign === '-' ? -rounded : rounded;
}

/** The files that statements and notes name. Each is counted once for statements and once for notes. */
function countDocuments(statements: readonly Json[], notes: readonly Json[]): number {
  const named = (paths: readonly unknown[]) =>
    new Set(
      paths
        .filter((path): path is string => typeof path === 'string' && path.trim() !== '')
        .map((path) => storedPath(path.trim())),
    ).size;
  return (
    named(statements.map((statement) => statement['statement_path'])) +
    named(
      notes.flatMap((note) =>
        listOf(note['document_paths']).map((document) => objectOf(document)['document_path']),
      ),
    )
  );
}

/** The balance that was sent; without one, the last statement's balance plus the transactions since then. */
function balanceOf(ledger: Json): Money {
  const sent = moneyOf(ledger['ledger_balance']);
  if (sent !== undefined) return sent;
  let balance = moneyOf(ledger['last_statement_balance']) ?? 0n;
  for (const transaction of listOf(ledger['current_statement_transactions']).map(objectOf)) {
    const amount = moneyOf(transaction['amount'], TRANSACTION_WHOLE_DIGITS);
    const type = TRANSACTION_TYPES.find((known) => known === transaction['type']);
    const isToMeter = Boolean(transaction['to_prepay_meter_serial_number']);
    if (amount !== undefined && type && !isToMeter)
      balance += effectOnBalance({ type, amount: formatMoney(amount) });
  }
  return balance;
}

/** An amount that a line can have; a larger one is zero. */
function formatStorable(amount: Money): string {
  const text = formatMoney(amount);
  return parseMoney(text, MAX_WHOLE_DIGITS) === undefined ? formatMoney(0n) : text;
}

/** Amounts are sent as numbers or text. */
function moneyOf(value: unknown, maxWholeDigits = MAX_WHOLE_DIGITS): Money | undefined {
  const isAmount = typeof value === 'number' || typeof value === 'string';
  return isAmount ? parseMoney(String(value).trim(), maxWholeDigits) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
