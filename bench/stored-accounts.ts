import { createSecretKey } from 'node:crypto';
import { accountTables } from '@portage/accounts';
import type { Client } from 'pg';
import { accountNumberOf, MAX_ACCOUNT_SEQUENCE } from '../libs/imports/src/accounts/account-number';
import type { Contender } from './contender';

/** Tables of an account or of its process, in the order of their foreign keys. */
const TABLES = [
  'import_process',
  'import_process_payload',
  'import_process_event',
  'account',
  ...accountTables,
] as const;

/** Ids of accounts and processes: a copy has its own. Other generated ids are generated again. */
const IDS = new Set(['account.id', 'import_process.id']);
const REFERENCES = new Set(['account_id', 'process_id']);

/** Values that two accounts do not share, or that rules compare between accounts. */
const VALUES = new Set([
  'external_account_number',
  'external_identifier',
  'email',
  'cais_reference',
  'identifier',
  'supply_point_identifier',
  'account_reference.value',
]);

/** The number of an account, which its process has as well. */
const NUMBERS = new Set(['account.number', 'import_process.account_number']);

/**
 * Copies all accounts of a database with their processes, payloads and histories, `copies` times. A copy has ids, a number
 * and values of its own, and the row and index entries of an imported account. The lines of submissions are not copied.
 */
export async function copyAccounts(
  contender: Contender,
  copies: number,
  log: (copied: number) => void,
): Promise<void> {
  await contender.withClient(async (client) => {
    // Neither foreign keys nor rules about shared values are checked: a copy breaks none.
    await client.query('SET session_replication_role = replica');
    await client.query(
      'CREATE TEMPORARY TABLE copied_number (process_id bigint PRIMARY KEY, number text NOT NULL)',
    );
    const { rows } = await client.query<{ ids: string[]; step: string }>(
      `SELECT array_agg(process_id::text) AS ids, greatest(max(id), (SELECT max(id) FROM import_process))::text AS step FROM account`,
    );
    const { ids = [], step = '' } = rows[0] ?? {};
    const statements: string[] = [];
    for (const table of TABLES) statements.push(await copyOf(client, table, step));
    const numberOf = await numbers(client);
    for (let nth = 1; nth <= copies; nth += 1) {
      await client.query('TRUNCATE copied_number');
      await client.query('INSERT INTO copied_number SELECT * FROM unnest($1::bigint[], $2::text[])', [
        ids,
        ids.map((_, index) => numberOf((nth - 1) * ids.length + index)),
      ]);
      for (const statement of statements) await client.query(statement, [nth]);
      log(nth * ids.length);
    }
    for (const table of ['account', 'import_process'])
      await client.query(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`,
      );
    for (const table of ['import_count', 'import_count_change'])
      await client.query(`UPDATE ${table} SET count = count * $1 WHERE submission_id = 0`, [copies + 1]);
  });
}

/** The statement that copies the rows of the first accounts of a table for the nth time. */
async function copyOf(client: Client, table: string, step: string): Promise<string> {
  const { rows } = await client.query<{ name: string; generated: boolean }>(
    `SELECT column_name AS name, is_identity = 'YES' AS generated FROM information_schema.columns
     WHERE table_schema = current_schema AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  const columns = rows.filter(({ name, generated }) => !generated || IDS.has(`${table}.${name}`));
  const process = table === 'import_process' ? 'id' : 'process_id';
  const copied = columns.map(({ name }) => {
    const full = `${table}.${name}`;
    if (IDS.has(full) || REFERENCES.has(name)) return `${name} + $1::bigint * ${step}`;
    if (NUMBERS.has(full)) return `(SELECT number FROM copied_number WHERE process_id = ${table}.${process})`;
    return VALUES.has(name) || VALUES.has(full) ? `${name} || '-' || $1::text` : name;
  });
  const key = table === 'account' || table === 'import_process' ? 'id' : keyOf(rows);
  return `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${copied.join(', ')} FROM ${table} WHERE ${key} <= ${step}`;
}

function keyOf(columns: readonly { name: string }[]): string {
  return columns.some(({ name }) => name === 'account_id') ? 'account_id' : 'process_id';
}

/** Account numbers from the end of the sequence, which no import reaches. */
async function numbers(client: Client): Promise<(nth: number) => string> {
  const { rows } = await client.query<{ key: Buffer }>('SELECT account_number_key AS key FROM installation');
  const key = createSecretKey(rows[0]?.key ?? Buffer.alloc(0));
  return (nth) => accountNumberOf(MAX_ACCOUNT_SEQUENCE - nth, key);
}
