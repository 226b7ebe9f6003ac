import type { Account } from '@portage/account-schema';
import { effectOnBalance, TRANSACTION_TYPES } from '@portage/accounts';
import { formatMoney, type Money, parseMoney } from '@portage/platform';

/**
 * What a submission is reconciled by, in the order in which it is shown: the one list of measures. All but `accounts` are
 * columns of lines and of counts under these names. A migration has a copy, because it must not change.
 */
const MEASURE_KINDS = {
  accounts: 'count',
  customers: 'count',
  supply_points: 'count',
  statements: 'count',
  transactions: 'count',
  opening_balance: 'amount',
  payment_instructions: 'count',
  debts: 'count',
} as const satisfies Record<string, 'count' | 'amount'>;

type MeasureKinds = typeof MEASURE_KINDS;

export type Measure = keyof MeasureKinds;

export const MEASURES = Object.keys(MEASURE_KINDS) as readonly Measure[];

/** A measure that is a column of a line; each line is one account. */
export type LineMeasure = Exclude<Measure, 'accounts'>;

export const LINE_MEASURES = MEASURES.filter((measure): measure is LineMeasure => measure !== 'accounts');

/** A value for each measure: a count, or an amount as decimal text in the supplier's currency. */
export type MeasureValues = {
  -readonly [M in Measure]: MeasureKinds[M] extends 'amount' ? string : number;
};

/** True for a measure that is an amount of money. */
export function isAmount(measure: Measure): boolean {
  return MEASURE_KINDS[measure] === 'amount';
}

/** Whole digits of a sum of balances that a line can have. */
const MAX_WHOLE_DIGITS = 17;

/** Whole digits of one amount. */
const TRANSACTION_WHOLE_DIGITS = 10;

type Json = Record<string, unknown>;

/** The measures of a valid account: the rows that its import creates, and the sum of its ledger balances. */
export function measureAccount(account: Account): MeasureValues {
  return measurePayload(account);
}

/**
 * The measures of an account as it was sent, as far as they can be read. For a valid account they are those of
 * {@link measureAccount}: lists have the same lengths, and amounts the same values, before and after validation.
 */
export function measurePayload(payload: unknown): MeasureValues {
  const account = objectOf(payload);
  const ledgers = listOf(account['ledgers']).map(objectOf);
  // An account without ledgers has one, made of its own fields.
  const all = ledgers.length > 0 ? ledgers : [{ ...account, ledger_balance: account['transfer_balance'] }];
  let transactions = 0;
  let balance = 0n;
  for (const ledger of all) {
    transactions +=
      listOf(ledger['historical_statement_transactions']).length +
      listOf(ledger['current_statement_transactions']).length;
    balance += balanceOf(ledger);
  }
  const debts = listOf(account['debts']).length;
  return {
    accounts: 1,
    customers: listOf(account['customers']).length,
    supply_points: listOf(account['supply_addresses']).reduce<number>(
      (count, address) => count + listOf(objectOf(address)['meter_points']).length,
      0,
    ),
    statements: listOf(account['statements']).length,
    transactions,
    opening_balance: formatMoney(isStorable(balance) ? balance : 0n),
    payment_instructions: listOf(account['payment_instructions']).length,
    debts: isObject(account['debt']) ? debts + 1 : debts,
  };
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

function isStorable(amount: Money): boolean {
  return parseMoney(formatMoney(amount), MAX_WHOLE_DIGITS) !== undefined;
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
