/** A count; decimal text in the supplier's currency; or whole minor units of it, such as pence. */
export type MeasureKind = 'count' | 'amount' | 'minor_units';

/**
 * What a submission is reconciled by, in the order in which it is shown: the one list of measures. All but `accounts` are
 * columns of lines and of counts under these names. The first schema has a copy.
 */
export const MEASURE_KINDS = {
  accounts: 'count',
  customers: 'count',
  supply_points: 'count',
  readings: 'count',
  statements: 'count',
  statement_total: 'minor_units',
  transactions: 'count',
  opening_balance: 'amount',
  opening_debits: 'amount',
  opening_credits: 'amount',
  payment_instructions: 'count',
  debts: 'count',
  documents: 'count',
} as const satisfies Record<string, MeasureKind>;

type MeasureKinds = typeof MEASURE_KINDS;

export type Measure = keyof MeasureKinds;

export const MEASURES = Object.keys(MEASURE_KINDS) as readonly Measure[];

/** A measure that is a column of a line; each line is one account. */
export type LineMeasure = Exclude<Measure, 'accounts'>;

export const LINE_MEASURES = MEASURES.filter((measure): measure is LineMeasure => measure !== 'accounts');

/** A value for each measure: a number, or an amount as decimal text in the supplier's currency. */
export type MeasureValues = {
  -readonly [M in Measure]: MeasureKinds[M] extends 'amount' ? string : number;
};

/** True for a measure that is an amount of money in decimal text. */
export function isAmount(measure: Measure): boolean {
  return MEASURE_KINDS[measure] === 'amount';
}

/** The SQL type of the value of one line. */
export function sqlTypeOf(measure: Measure): 'integer' | 'numeric' {
  return MEASURE_KINDS[measure] === 'count' ? 'integer' : 'numeric';
}
