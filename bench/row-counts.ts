import type { Contender } from './contender';

const TABLES = [
  'import_process',
  'import_process_payload',
  'import_process_event',
  'account',
  'customer',
  'account_reference',
  'debt',
  'charged_period',
  'supply_point',
  'agreement',
  'ledger',
  'statement_period',
  'transaction',
  'note',
  'historical_statement',
  'document',
  'payment_instruction',
];

/** The number of rows in each table that stores a part of an account. */
export async function countWrittenRows(contender: Contender): Promise<Record<string, number>> {
  const counts = TABLES.map(
    (table) => `SELECT '${table}' AS name, count(*)::integer AS count FROM "${table}"`,
  );
  const rows = await contender.sql<{ name: string; count: number }>(counts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
