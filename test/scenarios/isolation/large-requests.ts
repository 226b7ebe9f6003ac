/** A request that costs the API much work. */
export interface LargeRequest {
  name: string;
  path: string;
  body: Buffer;
  headers?: Record<string, string>;
  /** The statuses of a correct answer. 429 and 503 are refusals by the limits on large requests. */
  statuses: readonly number[];
}

const ACCOUNTS = '/v2/data-import/accounts/';
const VALIDATE = '/v2/data-import/accounts/validate/';
const POINT = '1000000000110';
/** The size of a body that the API still accepts. */
const MAX_BYTES = 9_900_000;
const LIMITED = [429, 503] as const;

const list = <Item>(count: number, itemAt: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => itemAt(index));

const day = (index: number) => new Date(Date.UTC(1950, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);

const charge = (index: number, supplyPoint: string) => ({
  transaction_id: `C-${index}`,
  transaction_date: '2024-06-15',
  type: 'SUPPLY_CHARGE',
  amount: '1.00',
  reason: 'Electricity',
  product_code: 'STANDARD',
  supply_point_identifier: supplyPoint,
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: day(index),
      end_date: day(index),
      number_of_units: 1,
      net_amount: '1.00',
      price_per_unit: '1.00',
    },
  ],
  tax_items: [],
});

const payment = (index: number, more: object = {}) => ({
  transaction_id: `P-${index}`,
  transaction_date: '2024-06-15',
  type: 'PAYMENT',
  amount: 10,
  ...more,
});

/** Nested lists of values: deep as permitted, and wide. */
function nested(depth: number, width: number): unknown {
  return depth === 0 ? list(width, (index) => index) : list(2, () => nested(depth - 1, width));
}

/**
 * Hostile and huge requests, each within every documented limit: 10,000 members of a list, 10 MB, nesting of 32,
 * about half a million values. `account` is an imported account of the supplier.
 */
export function largeRequests(supplier: string, account: string, round: number): LargeRequest[] {
  const target = { import_supplier: supplier, external_account_number: account };
  const newAccount = { import_supplier: supplier, external_account_number: `LARGE-${round}` };
  const build = (
    name: string,
    path: string,
    content: object,
    statuses: readonly number[],
    headers: Record<string, string> = {},
  ): LargeRequest => {
    const body = Buffer.from(JSON.stringify(content));
    if (body.length > MAX_BYTES) throw new Error(`${name} has ${body.length} bytes.`);
    return { name, path, body, headers, statuses: [...statuses, ...LIMITED] };
  };
  const text = (index: number, length: number) => `${round} ${index} `.padEnd(length, 'lorem ipsum ');
  return [
    build(
      '10,000 transactions',
      '/v1/data-import/transactions/create/',
      {
        ...target,
        transactions: list(10_000, (i) =>
          payment(i, { note: text(i, 500), transaction_id: `${round}-${i}` }),
        ),
      },
      [201],
      { 'idempotency-key': `transactions-${round}` },
    ),
    build(
      '10,000 notes of 900 characters',
      '/v1/data-import/notes/create/',
      { ...target, notes: list(10_000, (i) => ({ body: text(i, 900) })) },
      [201],
      { 'idempotency-key': `notes-${round}` },
    ),
    build(
      '10,000 notes without a body',
      '/v1/data-import/notes/create/',
      {
        ...target,
        notes: list(10_000, (i) => ({
          document_paths: [{ document_path: `${round}/${i}.pdf` }, { document_path: `${i}.pdf` }],
        })),
      },
      [201],
    ),
    build(
      '10,000 statements',
      '/v1/data-import/historical-statements/create/',
      {
        ...target,
        statements: list(10_000, (i) => ({
          statement_id: `${round}-${i}`,
          bill_period_from_date: '2024-01-01',
          bill_period_to_date: '2024-01-31',
          issued_date: '2024-02-01',
          number: String(i),
          gross_amount: 100,
          statement_path: `${round}/${i}.pdf`,
        })),
      },
      [200, 201],
    ),
    build(
      '10,000 supply charges of a point that was charged 40,000 times',
      VALIDATE,
      { ...newAccount, current_statement_transactions: list(10_000, (i) => charge(2 * i + 1, POINT)) },
      [200, 400],
    ),
    build(
      'one supply charge of that point',
      VALIDATE,
      { ...newAccount, current_statement_transactions: [charge(1, POINT)] },
      [200, 400],
    ),
    build(
      '10,000 customers whose addresses and numbers need the slow parsers',
      ACCOUNTS,
      {
        ...newAccount,
        customers: list(10_000, (i) => ({
          given_name: 'Zoë',
          family_name: `Ørsted ${i}`,
          email: `"a ${i}"@example.org`,
          landline: '+33 (0)1 42 68 53 00',
          mobile: '+44-7911-123456',
          alternative_phone_numbers: ['+49 30 901820', '+1 (212) 736-5000', '+81 3-3224-5000'].map(
            (phone_number) => ({ phone_number }),
          ),
        })),
      },
      [201, 400],
    ),
    build(
      '460,800 numbers in nested lists of an undocumented field',
      VALIDATE,
      { ...newAccount, unknown: nested(9, 900) },
      [200, 400],
    ),
    build(
      'wide lists with one error',
      VALIDATE,
      {
        ...newAccount,
        supply_addresses: list(1_000, (i) => ({
          supply_address1: `${i} High Street`,
          supply_postcode: 'SW1A 1AA',
          customer_at_supply_address_from_date: '2020-01-01',
          meter_points: list(10, (k) => ({
            supply_type: 'ELECTRICITY',
            identifier: POINT,
            mpid: 'XSUP',
            supply_start_date: '2020-01-01',
            agreements: [{ tariff_code: 'T', effective_from: '2020-01-01' }],
            meters: [
              {
                meter_serial_number: `S${i * 10 + k}`,
                registers: [
                  {
                    register_id: 'R',
                    number_of_digits: 5,
                    ...(i === 999 && k === 9 ? { last_billed_to_date: 'never' } : {}),
                  },
                ],
              },
            ],
          })),
        })),
        ledgers: list(10_000, (i) => ({ ledger_code: `L-${i}`, ledger_balance: '0.00' })),
      },
      [200, 400],
    ),
    // JSON.stringify would round the numbers.
    ...(['/v2/data-import/accounts/validate/', '/v1/data-import/validate-account/'] as const).map((path) => ({
      name: `1,000 numbers that JSON.parse changes, after 9 MB of text, to ${path}`,
      path,
      body: Buffer.from(
        JSON.stringify({ text: text(0, 9_000_000), unknown: list(1_000, () => '#') }).replaceAll(
          '"#"',
          '12345678901234567890',
        ),
      ),
      statuses: [400, ...LIMITED],
    })),
    build(
      '10,000 customers, staged',
      '/v1/data-import/validate-account/',
      {
        ...newAccount,
        customers: list(10_000, (i) => ({
          given_name: 'Zoë',
          family_name: `Ørsted ${i}`,
          landline: '+33 (0)1 42 68 53 00',
        })),
      },
      [200, 400],
    ),
    build(
      '10 MB of texts',
      VALIDATE,
      { ...newAccount, notes: list(10_000, (i) => ({ body: text(i, 960) })) },
      [200, 400],
    ),
  ];
}

/** A small request that is compared with everything that is stored. */
export function smallRequests(supplier: string, account: string, round: number): LargeRequest[] {
  const target = { import_supplier: supplier, external_account_number: account };
  return [
    {
      name: 'one note without a body',
      path: '/v1/data-import/notes/create/',
      body: Buffer.from(
        JSON.stringify({ ...target, notes: [{ document_paths: [{ document_path: `small-${round}.pdf` }] }] }),
      ),
      statuses: [201, ...LIMITED],
    },
    {
      name: 'one note with the body of 50,000',
      path: '/v1/data-import/notes/create/',
      body: Buffer.from(JSON.stringify({ ...target, notes: [{ body: 'Rang' }] })),
      statuses: [201, ...LIMITED],
    },
  ];
}

/** The statements that store what the requests are compared with, for an account that is imported. */
export const HOARD = [
  `INSERT INTO charged_period (account_id, organisation_id, supply_point_identifier, start_date, end_date)
   SELECT account.id, organisation_id, '${POINT}', date '1950-01-01' + 2 * n, date '1950-01-01' + 2 * n
   FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id, generate_series(0, 39999) AS n
   WHERE external_account_number = $1`,
  `INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths)
   SELECT id, NULL, false, false, ARRAY['stored/' || n || '.pdf']
   FROM account, generate_series(0, 49999) AS n WHERE external_account_number = $1`,
  `INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
   SELECT id, 'Rang', timestamptz '2020-01-01' + n * interval '1 minute', false, false, '{}'
   FROM account, generate_series(0, 49999) AS n WHERE external_account_number = $1`,
] as const;
