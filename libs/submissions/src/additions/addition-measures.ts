import { type AdditionInput, type AdditionKind, TRANSACTION_TYPES } from '@portage/accounts';
import { isObject, parseMoney } from '@portage/platform';

/**
 * What a submission of additions is reconciled by, in the order in which it is shown. Transactions have a count and a sum for
 * each type, and a count of all.
 */
export const ADDITION_MEASURE_KINDS = {
  lines: 'count',
  notes: 'count',
  statements: 'count',
  statement_total: 'minor_units',
  transactions: 'count',
  charges: 'count',
  charge_total: 'amount',
  supply_charges: 'count',
  supply_charge_total: 'amount',
  credits: 'count',
  credit_total: 'amount',
  payments: 'count',
  payment_total: 'amount',
  repayments: 'count',
  repayment_total: 'amount',
  payment_instructions: 'count',
} as const;

export type AdditionMeasure = keyof typeof ADDITION_MEASURE_KINDS;

export const ADDITION_MEASURES = Object.keys(ADDITION_MEASURE_KINDS) as readonly AdditionMeasure[];

/** The measures of one line that are not zero: counts, minor units, and amounts in hundredths. */
export type AdditionMeasureValues = Partial<Record<AdditionMeasure, number>>;

type TransactionType = (typeof TRANSACTION_TYPES)[number];

const COUNTS: Readonly<Record<TransactionType, AdditionMeasure>> = {
  CHARGE: 'charges',
  SUPPLY_CHARGE: 'supply_charges',
  CREDIT: 'credits',
  PAYMENT: 'payments',
  REPAYMENT: 'repayments',
};

const TOTALS: Readonly<Record<TransactionType, AdditionMeasure>> = {
  CHARGE: 'charge_total',
  SUPPLY_CHARGE: 'supply_charge_total',
  CREDIT: 'credit_total',
  PAYMENT: 'payment_total',
  REPAYMENT: 'repayment_total',
};

type Json = Record<string, unknown>;

/** The measures of a valid addition. */
export function measureAddition({ kind, input }: AdditionInput): AdditionMeasureValues {
  switch (kind) {
    case 'notes':
      return { lines: 1, notes: input.length };
    case 'historical_statements':
      return measureStatements(input);
    case 'transactions':
      return measureTransactions(input.transactions);
    case 'payment_instruction':
      return { lines: 1, payment_instructions: 1 };
  }
}

/** The measures of a refused addition, as far as it can be read. */
export function measureRefused(kind: AdditionKind | null, body: unknown): AdditionMeasureValues {
  const { notes, statements, transactions } = objectOf(body);
  switch (kind) {
    case 'notes':
      return { lines: 1, notes: listOf(notes).length };
    case 'historical_statements':
      return measureStatements(listOf(statements));
    case 'transactions':
      return measureTransactions(listOf(transactions));
    case 'payment_instruction':
      return { lines: 1, payment_instructions: 1 };
    case null:
      return { lines: 1 };
  }
}

function measureStatements(statements: readonly { gross_amount?: unknown }[]): AdditionMeasureValues {
  // Decimals, which some suppliers send, are rounded to whole minor units.
  const total = statements.reduce(
    (sum, { gross_amount: amount }) => sum + Math.round(Number(amount ?? 0)),
    0,
  );
  return {
    lines: 1,
    statements: statements.length,
    statement_total: Number.isSafeInteger(total) ? total : 0,
  };
}

function measureTransactions(
  transactions: readonly { type?: unknown; amount?: unknown }[],
): AdditionMeasureValues {
  const measures: AdditionMeasureValues = { lines: 1, transactions: transactions.length };
  for (const { type, amount } of transactions) {
    const known = TRANSACTION_TYPES.find((one) => one === type);
    if (!known) continue;
    const money = parseMoney(String(amount)) ?? 0n;
    measures[COUNTS[known]] = (measures[COUNTS[known]] ?? 0) + 1;
    measures[TOTALS[known]] = (measures[TOTALS[known]] ?? 0) + Number(money);
  }
  return measures;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
