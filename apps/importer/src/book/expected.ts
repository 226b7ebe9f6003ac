import type { OpenSubmissionRequest } from '@portage/client';

/** Control totals of a submission, by measure. */
export type Expected = NonNullable<OpenSubmissionRequest['expected']>;

/** What control totals can be given for: the service knows which of them are those of accounts, and which of additions. */
export const MEASURES = [
  'accounts',
  'customers',
  'supply_points',
  'readings',
  'statements',
  'statement_total',
  'transactions',
  'opening_balance',
  'opening_debits',
  'opening_credits',
  'payment_instructions',
  'debts',
  'documents',
  'lines',
  'notes',
  'charges',
  'charge_total',
  'supply_charges',
  'supply_charge_total',
  'credits',
  'credit_total',
  'payments',
  'payment_total',
  'repayments',
  'repayment_total',
] satisfies (keyof Expected)[];

/** Those that are amounts, as decimal text. */
export const AMOUNTS: readonly (keyof Expected)[] = [
  'opening_balance',
  'opening_debits',
  'opening_credits',
  'charge_total',
  'supply_charge_total',
  'credit_total',
  'payment_total',
  'repayment_total',
];
