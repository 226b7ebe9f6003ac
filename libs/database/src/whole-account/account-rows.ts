/** How a column comes out of the JSON that rows are handed over in. */
interface ColumnValue {
  integer: number;
  boolean: boolean;
  text: string;
  'text[]': string[];
  /** As decimal text: exact. */
  numeric: string;
  /** YYYY-MM-DD. */
  date: string;
  /** ISO 8601 with an offset. */
  timestamptz: string;
  jsonb: unknown;
}

type Columns = Readonly<Record<string, keyof ColumnValue>>;

/**
 * The tables that hold the parts of an account, and the columns that creation writes. A new part is one entry here
 * and its rows in {@link AccountRows}; `account_id` is added to each row.
 */
export const ACCOUNT_TABLES = {
  customer: {
    position: 'integer',
    user_identifier: 'text',
    title: 'text',
    given_name: 'text',
    family_name: 'text',
    email: 'text',
    mobile: 'text',
    landline: 'text',
    date_of_birth: 'date',
    details: 'jsonb',
  },
  account_reference: { position: 'integer', supplier_id: 'integer', namespace: 'text', value: 'text' },
  debt: { position: 'integer', cais_reference: 'text', details: 'jsonb' },
  charged_period: { supply_point_identifier: 'text', start_date: 'date', end_date: 'date' },
  supply_point: {
    position: 'integer',
    supply_address_position: 'integer',
    supply_type: 'text',
    identifier: 'text',
    supply_start_date: 'date',
    supply_end_date: 'date',
    last_billed_to_date: 'date',
    meters: 'jsonb',
    details: 'jsonb',
  },
  agreement: {
    supply_point_position: 'integer',
    position: 'integer',
    tariff_code: 'text',
    effective_from: 'date',
    effective_to: 'date',
    details: 'jsonb',
  },
  ledger: {
    position: 'integer',
    ledger_code: 'text',
    ledger_identifier: 'text',
    balance: 'numeric',
    details: 'jsonb',
  },
  statement_period: {
    ledger_position: 'integer',
    position: 'integer',
    start_date: 'date',
    end_date: 'date',
    closed_at: 'timestamptz',
    closing_balance: 'numeric',
  },
  transaction: {
    ledger_position: 'integer',
    period_position: 'integer',
    transaction_id: 'text',
    type: 'text',
    amount: 'numeric',
    transaction_date: 'date',
    reason: 'text',
    details: 'jsonb',
  },
  note: {
    body: 'text',
    created_at: 'timestamptz',
    external_id: 'text',
    is_pinned: 'boolean',
    unpin_at: 'timestamptz',
    is_archived: 'boolean',
    document_paths: 'text[]',
  },
  historical_statement: {
    statement_id: 'text',
    bill_period_from_date: 'date',
    bill_period_to_date: 'date',
    issued_date: 'date',
    number: 'text',
    gross_amount: 'numeric',
    statement_path: 'text',
  },
  document: { path: 'text', kind: 'text' },
  payment_instruction: {
    type: 'text',
    vendor: 'text',
    reference: 'text',
    customer_reference: 'text',
    instruction_identifier: 'text',
    ledger_code: 'text',
    is_active: 'boolean',
    details: 'jsonb',
  },
  welcome_email: { recipient: 'text', subject: 'text', body: 'text' },
} as const satisfies Record<string, Columns>;

export type AccountTable = keyof typeof ACCOUNT_TABLES;

/** One row of a table: a column that is left out, or undefined, becomes null. */
export type AccountRow<T extends AccountTable> = {
  [Column in keyof (typeof ACCOUNT_TABLES)[T]]:
    ColumnValue[(typeof ACCOUNT_TABLES)[T][Column] & keyof ColumnValue] | null | undefined;
};

/** The rows of an account, by table. */
export type AccountRows = { [T in AccountTable]: AccountRow<T>[] };

export const accountTables = Object.keys(ACCOUNT_TABLES) as AccountTable[];

/**
 * One parameter carries the rows of a table for a whole batch; `place` says which account of the batch a row is of.
 * json_to_recordset is planned as a hundred rows, which does no harm here: nothing but `placed` is joined.
 */
export function insertRows(table: AccountTable, parameter: number): string {
  const columns = Object.entries(ACCOUNT_TABLES[table]);
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  return `
    INSERT INTO "${table}" (account_id, ${names})
    SELECT placed.account_id, ${columns.map(([name]) => `part."${name}"`).join(', ')}
    FROM json_to_recordset($${parameter}::json) AS part (place bigint, ${columns
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', ')})
    JOIN placed USING (place)`;
}
