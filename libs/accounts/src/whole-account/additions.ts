import type { AccountTable } from './account-rows';

/** What requests can add to an imported account, by the names of answers. */
export const ADDITION_LISTS = [
  'notes',
  'transactions',
  'historical_statements',
  'payment_instructions',
] as const;
export type AdditionList = (typeof ADDITION_LISTS)[number];

/** The number of additions of each kind. */
export type AdditionCounts = Record<AdditionList, number>;

/** The table of each kind: those whose rows name the API key that posted them. */
export const ADDITION_TABLES = {
  notes: 'note',
  transactions: 'transaction',
  historical_statements: 'historical_statement',
  payment_instructions: 'payment_instruction',
} as const satisfies Record<AdditionList, AccountTable>;

/**
 * The SQL condition on rows that came with the account or its corrections. All others were added by requests, which leave
 * their API key as `actor`.
 *
 * @param table one that has the column
 * @param row the alias of the table
 * @param accountCreatedAt the SQL of `created_at` of the account
 */
export function isImported(table: AccountTable, row: string, accountCreatedAt: string): string {
  // A request that confirms an imported instruction leaves its name on it, so these are told by their time.
  return table === 'payment_instruction'
    ? `(${row}.actor IS NULL OR ${row}.created_at = ${accountCreatedAt})`
    : `${row}.actor IS NULL`;
}

/** The SQL condition on rows that requests have added: the opposite of {@link isImported}. */
export function isAdded(...row: Parameters<typeof isImported>): string {
  return `NOT (${isImported(...row)})`;
}
