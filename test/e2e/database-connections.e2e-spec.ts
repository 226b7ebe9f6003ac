import { account, Installation, type OperatorClient, signIn, until } from '@portage/testing';
import { Client } from 'pg';

const portage = Installation.use({
  backend: 'postgres',
  env: { DATABASE_POOL: '2' },
});
let session: OperatorClient;

beforeAll(async () => {
  session = await signIn(portage, 'viewer');
});

describe('while all database connections are in use', () => {
  /** Holds a lock that each connection of the API waits for. */
  let locking: Client;
  const blocked: Promise<unknown>[] = [];
  const ABOUT = { import_supplier: 'LEGACY', external_account_number: 'BUSY' };

  /** Imports an account of another organisation. Returns the headers of its requests. */
  async function joinOther(supplier: string): Promise<Record<string, string>> {
    const organisation = `${supplier} Ltd`;
    await portage.operator('organisation', 'create', organisation);
    const { api_key: key } = await portage.operator('api-key', 'issue', '--organisation', organisation);
    await portage.operator('supplier', 'create', supplier, '--organisation', organisation);
    const headers = { authorization: `Token ${await portage.obtainToken(key as string)}` };
    const path = '/v2/data-import/accounts/';
    await portage.post(path, account('BUSY', { import_supplier: supplier }), headers);
    await until(
      async () => (await portage.get(`${path}${supplier}/BUSY/`, headers)).body.status === 'PROCESSED',
      () => `the account of ${supplier} is not imported`,
    );
    return headers;
  }

  beforeAll(async () => {
    await portage.schedule(account('BUSY'));
    await portage.waitFor('PROCESSED', 1);
    // One organisation may hold half of the connections only.
    const others = [
      ['OTHER-1', await joinOther('OTHER-1')],
      ['OTHER-2', await joinOther('OTHER-2')],
    ] as const;
    locking = new Client({ connectionString: portage.databaseUrl });
    await locking.connect();
    await locking.query('BEGIN');
    // Statements on this table wait, and so does each connection that runs one.
    await locking.query('LOCK TABLE historical_statement IN ACCESS EXCLUSIVE MODE');
    const statement = {
      statement_id: 'ST-1',
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
    };
    for (const [supplier, headers] of others)
      blocked.push(
        portage.post(
          '/v1/data-import/historical-statements/create/',
          { ...ABOUT, import_supplier: supplier, statements: [statement] },
          headers,
        ),
      );
    await until(async () => {
      const { text } = await portage.get('/metrics');
      return /^portage_database_pool_connections\{state="active"\} 2$/m.test(text);
    }, 'the connections are not in use');
  });
  afterAll(async () => {
    await locking.query('ROLLBACK');
    await locking.end();
    await Promise.all(blocked);
  });

  it('every endpoint that needs one answers 503 with Retry-After', async () => {
    const operator = { cookie: session.headers.cookie };
    const transaction = { transaction_id: 'T-1', transaction_date: '2024-06-15', type: 'PAYMENT', amount: 1 };
    const requests: [string, string, unknown?, Record<string, string>?][] = [
      ['GET', '/v2/data-import/accounts/LEGACY/BUSY/'],
      ['GET', '/v1/data-import/account-transfer-status/LEGACY/BUSY/'],
      ['GET', '/v1/data-import/all-account-import-processes/LEGACY/'],
      ['GET', '/v1/data-import/pending-account-import-processes/LEGACY/'],
      ['GET', '/v1/data-import/imported-account-import-processes/LEGACY/?limit=2'],
      ['GET', '/v1/data-import/all-account-import-processes/LEGACY/?after=BUSY'],
      ['POST', '/v2/data-import/accounts/', account('other')],
      ['POST', '/v2/data-import/accounts/', account('keyed'), { 'idempotency-key': 'busy' }],
      ['POST', '/v1/data-import/notes/create/', { ...ABOUT, notes: [{ body: 'x' }] }],
      ['POST', '/v1/data-import/transactions/create/', { ...ABOUT, transactions: [transaction] }],
      [
        'POST',
        '/v1/data-import/payment-instruction/create/',
        { ...ABOUT, type: 'CARD', reference: 'pm_1', vendor: 'STRIPE' },
      ],
      ['GET', '/queues/import-processes/LEGACY/BUSY', undefined, operator],
      ['GET', '/v2/data-import/accounts/UNKNOWN/BUSY/'],
    ];
    const answers = await Promise.all([
      ...requests.map(async ([method, path, body, headers]) => ({
        path,
        ...(await portage.send(method, path, { body, ...(headers ? { headers } : {}) })),
      })),
      portage
        .graphql('mutation ($key: String!) { obtainPlatformToken(input: { APIKey: $key }) { token } }', {
          key: portage.apiKey,
        })
        .then((answer) => ({ path: '/v1/graphql/', ...answer })),
    ]);
    for (const { path, status, headers, body, text } of answers) {
      const code = body?.code ?? body?.errors?.[0]?.extensions.code;
      expect([path, status, code, text]).toEqual([path, 503, 'unavailable', expect.any(String)]);
      expect([path, headers['retry-after']]).toEqual([path, expect.stringMatching(/^\d+$/)]);
    }
  });
});
