/** SQL expressions by column. */
export type Columns = Readonly<Record<string, string>>;

/**
 * SQL that inserts processes past the service: one for each row of `from`, which has a column `n`, unless told otherwise.
 * By default they are `PENDING` and of the first supplier, with the account numbers `N-1`, `N-2` and so on.
 */
export function insertProcesses(from: string, columns: Columns = {}): string {
  const number = columns['external_account_number'] ?? `'N-' || n`;
  return insertInto('import_process', from, {
    supplier_id: '1',
    is_dry_run: 'false',
    status: `'PENDING'`,
    latest_event: `'CREATED'`,
    external_account_number: number,
    external_identifier: number,
    payload_hash: `'x'`,
    ...columns,
  });
}

/** SQL that inserts the accounts of processes, which are the rows of `from`. */
export function insertAccounts(from: string, columns: Columns = {}): string {
  return insertInto('account', from, {
    process_id: 'id',
    supplier_id: 'supplier_id',
    number: `'A-' || lpad(to_hex(id), 8, '0')`,
    external_account_number: 'external_account_number',
    external_identifier: 'external_identifier',
    billing: `'{}'`,
    ...columns,
  });
}

export function insertInto(table: string, from: string, columns: Columns): string {
  return `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
    SELECT ${Object.values(columns).join(', ')} FROM ${from}`;
}
