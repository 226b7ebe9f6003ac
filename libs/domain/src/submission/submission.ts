/** The states of a submission. FINISHED is derived: RECEIVED, and every account has come to its end. */
export const SUBMISSION_STATUSES = ['OPEN', 'RECEIVED', 'FINISHED', 'ABORTED'] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** The states that are stored. */
export type StoredSubmissionStatus = Exclude<SubmissionStatus, 'FINISHED'>;

/** What a submission is reconciled by, in the order in which it is shown. */
export const MEASURES = [
  'accounts',
  'customers',
  'supply_points',
  'statements',
  'transactions',
  'opening_balance',
  'payment_instructions',
  'debts',
] as const;
export type Measure = (typeof MEASURES)[number];

/** A value for each measure: counts, and `opening_balance` as decimal text in the supplier's currency. */
export type MeasureValues = Record<Exclude<Measure, 'opening_balance'>, number> & { opening_balance: string };

/** An error of a line, or of the account that it became. */
export interface SubmissionLineError {
  code: string;
  detail: string;
  /** The path of the field; null if the error concerns the line as a whole. */
  attr: string | null;
}
